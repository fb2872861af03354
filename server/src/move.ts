import { keyOf, placeOf, readArguments, runCommand, say } from './backup/command-line.ts';
import { copyInto } from './backup/copy-into.ts';
import { StartError } from './errors.ts';
import { openCopySource, whileStopped } from './store/copies/copy-place.ts';

const usage = `npm run move -- --from <data directory or postgres:// URL> --to <data directory or postgres:// URL>
Copies everything into an empty place and compares the two. Both are stopped; the source stays as it is.
SECRET_KEY is the key of both; a data directory may have it in secret.key.`;

const main = async (): Promise<number> => {
  const { values } = readArguments({ from: { type: 'string' }, to: { type: 'string' } }, 0);
  if (values.from === undefined || values.to === undefined)
    throw new StartError('Name both places: --from and --to (--help shows the usage)');
  const [from, to] = [placeOf(values.from), placeOf(values.to)];
  const code = await whileStopped(from, async () => {
    const source = await openCopySource(from);
    try {
      return await copyInto(to, source, keyOf(from));
    } finally {
      await source.close();
    }
  });
  say('The source is unchanged: do not start a gateway on it again');
  return code;
};

await runCommand(usage, main);
