import { dirname, join, relative } from 'node:path';
import { importTable, type ImportRow } from './import-table.ts';

/** The nodes of a syntax tree that name a module. */
interface ModuleNode {
  readonly source: { readonly value?: unknown } | null;
}

/** What a rule has of the linter, for one file. */
export interface RuleContext {
  readonly filename: string;
  readonly cwd: string;
  readonly report: (finding: { readonly node: object; readonly message: string }) => void;
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The folder of a row for a path: the row's folder, or its child on the path if the row ends with a star. */
const folderFor = (row: ImportRow, path: string): string | undefined => {
  if (!row.folder.endsWith('/*')) return isBelow(path, row.folder) ? row.folder : undefined;
  const parent = row.folder.slice(0, -2);
  const [child] = path.slice(parent.length + 1).split('/');
  return path.startsWith(`${parent}/`) && child !== undefined ? `${parent}/${child}` : undefined;
};

interface Rule {
  readonly folder: string;
  readonly ours: readonly string[];
  readonly packages: readonly string[] | 'any';
}

/**
 * Allowed imports of the file at a path; undefined: no row covers it.
 * @param path from the root, with forward slashes
 */
export const ruleFor = (path: string): Rule | undefined => {
  let found: Rule | undefined;
  for (const row of importTable) {
    const folder = folderFor(row, path);
    if (folder === undefined || folder.length < (found?.folder.length ?? 0)) continue;
    const tests = /\.test\.tsx?$/.test(path) ? (row.tests ?? []) : [];
    const packages = row.packages === 'any' ? row.packages : [...row.packages, ...tests];
    found = { folder, ours: [folder, ...row.ours, ...tests], packages };
  }
  return found;
};

const isPackageAllowed = (specifier: string, packages: readonly string[]): boolean =>
  packages.some((name) => (name.endsWith('*') ? specifier.startsWith(name.slice(0, -1)) : specifier === name));

const isPathAllowed = (path: string, ours: readonly string[]): boolean =>
  ours.some((folder) => (folder.endsWith('/') ? `${dirname(path)}/` === folder : isBelow(path, folder)));

/** Whether a folder of the imported file does not allow the importing file (`onlyFor`). */
const isClosed = (path: string, imported: string): boolean =>
  importTable.some(({ folder, onlyFor }) => onlyFor && isBelow(imported, folder) && !isPathAllowed(path, onlyFor));

/** Whether the file at `path` may import `specifier`; a relative one is resolved first. */
export const isImportAllowed = (path: string, specifier: string): boolean => {
  const rule = ruleFor(path);
  if (rule === undefined) return true;
  if (specifier.startsWith('.')) {
    const imported = join(dirname(path), specifier);
    return isPathAllowed(imported, rule.ours) && !isClosed(path, imported);
  }
  return rule.packages === 'any' || isPackageAllowed(specifier, rule.packages);
};

const create = (context: RuleContext) => {
  const path = relative(context.cwd, context.filename).replaceAll('\\', '/');
  const check = (node: ModuleNode): void => {
    const specifier = node.source?.value;
    if (typeof specifier !== 'string' || isImportAllowed(path, specifier)) return;
    const folder = ruleFor(path)?.folder ?? path;
    const message = `'${specifier}' must not be imported by ${folder}. See docs/architecture.md and scripts/checks/import-table.ts.`;
    context.report({ node, message });
  };
  return {
    ImportDeclaration: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
    ImportExpression: check,
    TSImportType: check,
  };
};

export const importRule = { create };
