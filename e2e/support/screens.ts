import { join } from 'node:path';
import { listOf, objectOf, textOf } from '../../server/test/parsing/json.ts';

export interface ConsoleScreen {
  /** `:id` matches a number. */
  readonly path: string;
  readonly access: string;
}

/** The console's table. Imported by its address, so that the types of the whole console are not checked here too. */
const table: unknown = await import(join(import.meta.dirname, '..', '..', 'console', 'src', 'app', 'screens.ts'));

/** Every screen behind the sign-in, in the order of the console's table. */
export const screens: readonly ConsoleScreen[] = listOf(objectOf(table)['screens']).map(({ path, access }) => ({
  path: textOf(path),
  access: textOf(access),
}));
if (screens.length === 0) throw new Error('the table of the screens is empty');
