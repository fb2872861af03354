import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { publishBuild } from './publish-build.mjs';
import { root } from './root.mjs';

test('N12 a build that is killed leaves the console of before, and no stamp; the next one replaces it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weir-build-'));
  const places = { link: join(home, 'dist'), builds: join(home, 'builds'), stamp: join(home, 'stamp') };
  const page = () => readFileSync(join(places.link, 'index.html'), 'utf8');
  const publish = (text: string, code = 0) =>
    publishBuild({
      ...places,
      text,
      build: async (folder) => {
        writeFileSync(join(folder, 'index.html'), text);
        return code;
      },
    });
  // A folder, as earlier versions left it.
  mkdirSync(places.link);
  await publish('first');
  expect([page(), readFileSync(places.stamp, 'utf8')]).toEqual(['first', 'first']);
  const served = realpathSync(places.link);

  const module = pathToFileURL(join(root, 'scripts', 'steps', 'publish-build.mjs')).href;
  const script = `
    const { publishBuild } = await import(${JSON.stringify(module)});
    const build = () => new Promise(() => { console.log('building'); setInterval(() => undefined, 1000); });
    await publishBuild({ ...${JSON.stringify(places)}, text: 'killed', build });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  expect([page(), existsSync(places.stamp)]).toEqual(['first', false]);

  expect(await publish('failed', 3)).toBe(3);
  expect([page(), existsSync(places.stamp)]).toEqual(['first', false]);
  await publish('second');
  expect([page(), readFileSync(places.stamp, 'utf8')]).toEqual(['second', 'second']);
  expect(readFileSync(join(served, 'index.html'), 'utf8')).toBe('first');
  for (let count = 0; count < 8; count += 1) await publish(`later ${count}`);
  expect(page()).toBe('later 7');
  expect(readdirSync(places.builds).length).toBeLessThan(6);
  rmSync(home, { recursive: true });
});
