/**
 * Loaded into a command before all else (`node --import`): kills its process once it has written KILL_AT. From outside, the
 * signal may arrive when a quick command has ended.
 */
import { pathToFileURL } from 'node:url';

const killAt = process.env['KILL_AT'];

/** What a command's environment needs to be killed at an output. */
export const killedAt = (text: string): Readonly<Record<string, string>> => ({
  KILL_AT: text,
  NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename).href}`,
});

if (killAt !== undefined) {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      const hasRoom = Reflect.apply(write, stream, [chunk, ...rest]) === true;
      if (String(chunk).includes(killAt)) process.kill(process.pid, 'SIGKILL');
      return hasRoom;
    };
  }
}
