import type { FindingGroup } from './findings.ts';
import type { Proof } from './proof.ts';
import type { ImportReport } from './run-import.ts';

/** Rows named for each finding in the text; the JSON has more. */
const namedMax = 20;

const headings = {
  blocks: 'Must be mended in the source before',
  dropped: 'Does not come over',
  changed: 'Comes over changed',
  note: 'Comes over; to know',
} as const;

const findingLines = ({ what, happens, count, rows }: FindingGroup): string[] => {
  const more = count > namedMax ? `, and ${count - namedMax} more` : '';
  return [`  ${what}: ${count}`, `    ${happens}`, `    ${rows.slice(0, namedMax).join(', ')}${more}`];
};

const proofLines = ({ totals, differences, ledger, isEqual }: Proof): string[] => [
  '',
  'Proof: what is here beside the source',
  ...totals.map(({ table, field, compared, stated, different, sourceSum, hereSum }) => {
    const sums = sourceSum === null ? '' : `; sum ${sourceSum} there, ${hereSum} here`;
    const said = stated === 0 ? '' : `, ${stated} as said above`;
    return `  ${table} ${field}: ${compared} compared${said}, ${different} different${sums}`;
  }),
  ...differences.map(
    ({ table, id, field, source, here }) => `  DIFFERENT: ${table} ${id} ${field}: ${source} there, ${here} here`,
  ),
  ...ledger.map(
    ({ rule, subject, expected, found }) => `  LEDGER: ${rule} ${subject}: expected ${expected}, found ${found}`,
  ),
  isEqual
    ? 'Nothing differs but what is said above, and the ledger matches the balances.'
    : 'The database differs from the source. Do not start a server on it; report this, and keep the source.',
];

/** The report for people. */
export const reportText = ({ product, findings, rows, proof }: ImportReport): string => {
  const counts = Object.entries(rows).map(([table, count]) => `${count} ${table}`);
  const lines = [`Source: ${product}: ${counts.join(', ')}`];
  for (const kind of ['blocks', 'dropped', 'changed', 'note'] as const) {
    const groups = findings.filter((group) => group.kind === kind);
    if (groups.length > 0) lines.push('', headings[kind], ...groups.flatMap(findingLines));
  }
  if (proof !== undefined) lines.push(...proofLines(proof));
  return lines.join('\n');
};
