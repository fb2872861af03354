import { variables } from '../config-variables.ts';
import { readVariable } from '../config.ts';
import { type CopyPlace, fillPlace } from '../store/copies/copy-place.ts';
import type { CopySource } from '../store/copies/copy-source.ts';
import type { Copied } from '../store/copies/fill-steps.ts';
import { openReadOnly } from '../store/engine/read-only.ts';
import { verifyLedger } from '../store/ledger/verify.ts';
import { checkKey } from './check-backup.ts';
import { say } from './command-line.ts';
import { keyForTarget, placeKey } from './restore-key.ts';

/** Copies a source into an empty place, with its key, and checks the result. Returns the exit code. */
export const copyInto = async (target: CopyPlace, source: CopySource, key: Buffer | undefined): Promise<number> => {
  const fromEnvironment = readVariable(process.env, variables.secretKey);
  const used = keyForTarget(target, key, fromEnvironment);
  say(await checkKey(source, used));
  const beforeEnd = () => placeKey(target, used, fromEnvironment !== undefined);
  const copied = await fillPlace(target, source, { say, beforeEnd });
  const rows = copied.reduce((sum, each) => sum + each.rows, 0);
  const amounts = copied.flatMap(({ table, sums }: Copied) =>
    Object.entries(sums).map(([column, sum]) => `${table}.${column} ${sum}`),
  );
  say(`${copied.length} tables with ${rows} rows are the same on both sides: ${amounts.join(', ')}`);
  const db = openReadOnly(target);
  try {
    const { findings, figures } = await verifyLedger(db);
    for (const { rule, subject, expected, found } of findings)
      say(`${rule}: ${subject}: expected ${expected}, found ${found}`);
    const result = findings.length === 0 ? 'The ledger matches the balances' : `${findings.length} findings`;
    say(`${result}: ${figures.entries} entries, ${figures.holds} open holds`);
    return findings.length === 0 ? 0 : 1;
  } finally {
    await db.close();
  }
};
