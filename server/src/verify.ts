import { resolve } from 'node:path';
import { readVariable, variables } from './config.ts';
import { openReadOnly } from './store/engine/read-only.ts';
import { verifyLedger, type Verification } from './store/ledger/verify.ts';

/**
 * Compares ledger and balances of a data directory (the argument, or DATA_DIR) or of DATABASE_URL, also while the gateway runs.
 * Ends with 0 where everything agrees, 1 where something does not, 2 where it could not look.
 */
const verify = async (directory: string | undefined): Promise<Verification> => {
  const dataDir = resolve(directory ?? readVariable(process.env, variables.dataDir));
  const databaseUrl = directory === undefined ? readVariable(process.env, variables.databaseUrl) : undefined;
  const db = openReadOnly({ dataDir, databaseUrl });
  try {
    return await verifyLedger(db);
  } finally {
    await db.close();
  }
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const { findings, figures } = await verify(process.argv[2]);
  for (const { rule, subject, expected, found } of findings)
    say(`${rule}: ${subject}: expected ${expected}, found ${found}`);
  const looked = `${figures.entries} entries, ${figures.holds} open holds, ${figures.unrecovered} quota uncollected`;
  say(findings.length === 0 ? `The ledger matches the balances: ${looked}` : `${findings.length} findings: ${looked}`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The ledger cannot be checked: ${reason}\n`);
  process.exitCode = 2;
}
