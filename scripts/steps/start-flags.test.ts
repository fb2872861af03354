import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import start from '../../server/start.json' with { type: 'json' };
import { root } from './root.mjs';

test('N11 the start flags are defined in server/start.json alone, and the container uses them', () => {
  const { stdout } = spawnSync('git', ['ls-files', 'Dockerfile', 'scripts', 'bench', 'e2e', 'server', 'package.json'], {
    cwd: root,
    encoding: 'utf8',
  });
  const others = stdout.split('\n').filter((file) => /\.(ts|mjs|json|sh)$|Dockerfile$/.test(file));
  const holds = (file: string): boolean => {
    const text = readFileSync(join(root, file), 'utf8');
    return start.flags.some((flag) => flag.includes('semi-space') && text.includes(flag.split('=')[0] ?? flag));
  };
  expect(others.length).toBeGreaterThan(100);
  expect(others.filter(holds)).toEqual(['server/start.json']);
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain('CMD ["sh", "server/start.sh"]');
  expect(readFileSync(join(root, 'server', 'start.sh'), 'utf8')).toContain('start.json');
});
