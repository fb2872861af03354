import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/store/engine/migrate.ts';
import { openBare } from './bare-database.ts';
import { createTestStorage } from './database.ts';

/** Run by Vitest before the first test of a project; removes the storage after the last. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const kind = project.config.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';
  const { remove, ...storage } = await createTestStorage({ kind });
  const { query, close } = await openBare({ ...storage, remove });
  await migrate({ db: query, kind });
  await close();
  project.provide('migrated', storage);
  return remove;
};
