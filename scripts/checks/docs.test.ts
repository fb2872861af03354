import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { variables } from '../../server/src/config-variables.ts';
import { root } from '../steps/root.mjs';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const markdownBelow = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const pages = ['.', 'docs', 'docs/decisions', 'docs/running'].flatMap(markdownBelow);

test('docs/configuration.md lists every environment variable as the configuration defines it', () => {
  const rows = Object.values(variables).map((variable) => {
    const names = 'oldName' in variable ? [variable.name, variable.oldName] : [variable.name];
    return `| ${names.map((name) => `\`${name}\``).join(', ')} | ${variable.fallback} | ${variable.doc} |`;
  });
  expect(
    read('docs/configuration.md')
      .split('\n')
      .filter((line) => line.startsWith('| `')),
  ).toEqual(rows);
});

test.each(pages)('every local link of %s points to an existing file', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
  const local = links.filter((link) => !/^https?:/.test(link));
  expect(local.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

test('C69 no page of the documentation has sentences about nobody or somebody, except licences and system users', () => {
  const others = /0008-postgresql|0010-common-passwords/;
  const persons = /\b(?:nobody|somebody|anybody|everybody|whoever|whom|told|asked)\b/i;
  const lines = pages.filter((page) => !others.test(page)).flatMap((page) => read(page).split('\n'));
  expect(lines.filter((line) => persons.test(line))).toEqual([]);
});

test('C71 the README has first steps, figures with their commands, the way from One API, and the time of the tests', () => {
  const readme = read('README.md');
  const steps = [...readme.matchAll(/^\d\. \*\*(.+?)\*\*/gm)].map(([, step]) => step);
  expect(steps).toEqual(['Add a provider', 'Create a token', 'Send a request']);
  const [, table = ''] = readme.split('## What it does better');
  const figures = [...table.matchAll(/^\| ([A-Z].+?) \| (.+) \| `.+` \|$/gm)];
  expect(figures.length).toBeGreaterThanOrEqual(5);
  for (const part of ['## Coming from One API', 'docker run', /about \d+ minutes on two cores/])
    expect(readme).toMatch(part);
});

test('every test that the documentation quotes exists in the linked file', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+\.test\.ts)\) “([^”|]+)”/g)].map(([, link = '', title = '']) => ({
      file: join(dirname(page), link),
      title,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file, title }) => !read(file).includes(title))).toEqual([]);
});

test('every npm script is documented', () => {
  const documented = read('README.md') + read('CONTRIBUTING.md');
  const command = (name: string) => (['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name} `);
  expect(Object.keys(manifest.scripts).filter((name) => !documented.includes(command(name)))).toEqual([]);
});

test("continuous integration runs the README's test command", () => {
  const [, command] = /^## Test\n\n {4}(.+)$/m.exec(read('README.md')) ?? [];
  expect(read('.ci/run').trim().split('\n').at(-1)).toBe(`exec ${command}`);
});
