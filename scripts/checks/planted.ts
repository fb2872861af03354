import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../steps/root.mjs';

/** A finding of the linter. */
export interface Finding {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
}

const workspaces = ['contract', 'server', 'console', 'e2e'];

const lint = (folder: string): Finding[] => {
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=unix', ...workspaces], {
    cwd: folder,
    encoding: 'utf8',
  });
  const reports = stdout.matchAll(/^(\S+?):\d+:\d+: ([^]*?) \[\w+\/[\w-]+\(([\w-]+)\)\]$/gm);
  return [...reports].map(([, file = '', message = '', rule = '']) => ({ file, rule, message }));
};

/** Writes files into a copy of the repository's layout, lints them with its configuration, and removes them. */
export const lintPlanted = (files: Readonly<Record<string, string>>): Finding[] => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-lint-'));
  try {
    for (const path of [
      'oxlint.config.ts',
      'scripts/checks/lint-plugin.ts',
      'scripts/checks/import-rule.ts',
      'scripts/checks/import-table.ts',
      'tsconfig.base.json',
      'package.json',
    ]) {
      cpSync(join(root, path), join(folder, path), { recursive: true });
    }
    for (const workspace of workspaces) {
      mkdirSync(join(folder, workspace), { recursive: true });
      cpSync(join(root, workspace, 'tsconfig.json'), join(folder, workspace, 'tsconfig.json'));
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return lint(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
