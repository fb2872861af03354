import { randomBytes } from 'node:crypto';
import { StartError } from '../errors.ts';
import { createSecrets, type Secrets } from '../store/credentials/secrets.ts';
import type { Database } from '../store/database.ts';
import { noteForeignKeys } from '../store/foreign-keys.ts';
import { advanceIds, allowLong, insertRows } from '../store/imports/import-rows.ts';
import {
  findFilledTables,
  type ImportState,
  readImportState,
  writeImportState,
} from '../store/imports/import-state.ts';
import { writeOptionTexts } from '../store/options.ts';
import type { Compared } from './comparison.ts';
import type { Conversion, Converted } from './convert/conversion.ts';
import {
  convertAccounts,
  convertSettings,
  findSharedNames,
  recognise,
  type SourceKind,
} from './convert/convert-source.ts';
import { createFindings, type FindingGroup, type Findings } from './findings.ts';
import { finishImport, importLogs, type SourceLog, surveyLog } from './import-logs.ts';
import { type Proof, proveImport } from './proof.ts';
import { type Source, SourceError } from './sources/source.ts';

export interface ImportDeps {
  readonly source: Source;
  /** Where the log is, if it is in a database of its own. */
  readonly logSource: Source;
  readonly withLogs: boolean;
  /** Unix seconds. */
  readonly at: number;
  /** Tells the operator what goes on. */
  readonly say: (line: string) => void;
}

export interface Target {
  readonly db: Database;
  readonly secrets: Secrets;
  /** Gets every comparison of the proof. */
  readonly write: (compared: Compared) => void;
}

export interface ImportReport {
  readonly product: SourceKind['name'];
  readonly findings: readonly FindingGroup[];
  /** Rows that came over, or would. */
  readonly rows: Readonly<Record<string, number>>;
  /** Undefined: nothing was imported. */
  readonly proof: Proof | undefined;
  /** Something must be mended in the source before. */
  readonly isBlocked: boolean;
}

const newConversion = async (
  { source, at }: ImportDeps,
  { isNewApi, secrets, findings }: { isNewApi: boolean; secrets: Secrets; findings: Findings },
): Promise<Conversion> => ({
  secrets,
  findings,
  at,
  isNewApi,
  sharedNames: await findSharedNames(source),
  userStatus: new Map(),
  seen: new Map(),
  groups: new Set(),
});

interface Survey {
  readonly product: SourceKind;
  readonly findings: Findings;
  readonly rows: Readonly<Record<string, number>>;
  /** Undefined: it was not read. */
  readonly log: SourceLog | undefined;
}

/** Converts everything but the log and stores nothing: what an import would do, with all that it has to say. */
const surveyAccounts = async (deps: ImportDeps): Promise<Survey> => {
  const { source } = deps;
  const product = await recognise(source);
  const findings = createFindings();
  const { isNewApi } = product;
  const secrets = createSecrets(randomBytes(32));
  const conversion = await newConversion(deps, { isNewApi, secrets, findings });
  const rows: Record<string, number> = {};
  for await (const { table, rows: converted, entries } of convertAccounts(source, conversion)) {
    rows[table] = (rows[table] ?? 0) + converted.length;
    rows['ledger'] = (rows['ledger'] ?? 0) + entries.length;
  }
  rows['options'] = (await convertSettings(source, conversion)).size;
  return { product, findings, rows, log: undefined };
};

const withLog = (survey: Survey, log: SourceLog): Survey => ({
  ...survey,
  rows: { ...survey.rows, logs: log.rows },
  log,
});

/** The same with the log. */
const surveySource = async (deps: ImportDeps): Promise<Survey> => {
  const survey = await surveyAccounts(deps);
  if (!deps.withLogs) return survey;
  const { findings, product } = survey;
  return withLog(survey, await surveyLog({ source: deps.logSource, isNewApi: product.isNewApi, findings }));
};

const reportOf = ({ product, findings, rows }: Survey, proof?: Proof): ImportReport => ({
  product: product.name,
  findings: findings.groups(),
  rows,
  proof,
  isBlocked: findings.isBlocked,
});

/** What an import would do. */
export const tryImport = async (deps: ImportDeps): Promise<ImportReport> => reportOf(await surveySource(deps));

/** Tells a source from another one, so that the log of one is not continued with that of another. */
const fingerprintOf = async (source: Source, secrets: Secrets): Promise<string> => {
  for await (const rows of source.pages('users'))
    return secrets.digest(JSON.stringify(rows.slice(0, 1000).map(({ id, username }) => [id, username])));
  return secrets.digest('');
};

/** All accounts, or none: one transaction. It also has the last word on where the log begins. */
const importAccounts = async (
  deps: ImportDeps,
  { db, secrets }: Target,
  { isNewApi, state }: { readonly isNewApi: boolean; readonly state: ImportState },
) => {
  // What it finds was found by the survey. A transaction must not wait for the source, so everything is read before.
  const conversion = await newConversion(deps, { isNewApi, secrets, findings: createFindings() });
  const batches: Converted[] = [];
  for await (const batch of convertAccounts(deps.source, conversion)) batches.push(batch);
  const texts = await convertSettings(deps.source, conversion);
  await db.write.transaction().execute(async (trx) => {
    await allowLong(trx, db.kind);
    for (const { table, rows, entries } of batches) {
      await insertRows(trx, { kind: db.kind, table, rows });
      await insertRows(trx, { kind: db.kind, table: 'ledger', rows: entries });
    }
    await writeOptionTexts(trx, secrets, texts);
    await noteForeignKeys(trx);
    await advanceIds(trx, db.kind);
    await writeImportState(trx, { ...state, stage: 'logs' });
  });
};

/** The state to go on from. Throws where the database is not empty, or has a part of another source. */
const begin = async ({ db, secrets }: Target, source: Source): Promise<ImportState> => {
  const fingerprint = await fingerprintOf(source, secrets);
  const known = await readImportState(db.read);
  if (known !== undefined) {
    if (known.source !== fingerprint)
      throw new StartError(
        'An import of another source into this database was begun and not finished; use that source, or an empty database',
      );
    if (known.stage === 'logs') return known;
  }
  const filled = await findFilledTables(db);
  if (filled.length > 0)
    throw new StartError(
      `The database to import into is not empty (${filled.join(', ')}). Name an empty data directory with DATA_DIR, or an empty PostgreSQL with DATABASE_URL; a first start of the server makes it not empty`,
    );
  const state: ImportState = { stage: 'accounts', source: fingerprint, logId: 0 };
  await writeImportState(db.write, state);
  return state;
};

/** The log of the source, with what came over in an earlier run. */
const importWholeLog = async (
  { logSource, say }: ImportDeps,
  { db }: Target,
  { survey: { findings, product }, state }: { readonly survey: Survey; readonly state: ImportState },
): Promise<SourceLog> => {
  const reading = { source: logSource, isNewApi: product.isNewApi, findings };
  const before = state.logId === 0 ? undefined : await surveyLog(reading, state.logId);
  const onProgress = (rows: number) => {
    if (rows % 20_000 === 0) say(`${rows} log rows`);
  };
  const { rows, totals } = await importLogs({ ...reading, db, state, onProgress });
  if (before === undefined) return { rows, totals };
  return {
    rows: rows + before.rows,
    totals: {
      requests: totals.requests + before.totals.requests,
      quota: totals.quota + before.totals.quota,
      promptTokens: totals.promptTokens + before.totals.promptTokens,
      completionTokens: totals.completionTokens + before.totals.completionTokens,
    },
  };
};

/**
 * Imports a source into an empty database, and proves it. Cut at any point, it can be run again: accounts come over
 * whole or not at all, and the log goes on behind the last page. No server starts on a half of it.
 */
export const runImport = async (deps: ImportDeps, target: Target): Promise<ImportReport> => {
  const { source, withLogs, at, say } = deps;
  let survey = await surveyAccounts(deps);
  if (survey.findings.isBlocked) return reportOf(survey);
  let state = await begin(target, source);
  if (state.stage === 'accounts') {
    say('Importing accounts');
    await importAccounts(deps, target, { isNewApi: survey.product.isNewApi, state });
    state = { ...state, stage: 'logs' };
  } else {
    say(`Going on behind log row ${state.logId}`);
  }
  if (withLogs) survey = withLog(survey, await importWholeLog(deps, target, { survey, state }));
  await finishImport(target.db, at);
  say('Comparing with the source');
  const { findings, log } = survey;
  return reportOf(survey, await proveImport({ ...target, source, findings, log }));
};

/** Compares a database with the source that was imported into it, before it has served anything. */
export const checkImport = async (deps: ImportDeps, target: Target): Promise<ImportReport> => {
  const survey = await surveySource(deps);
  const { findings, log } = survey;
  if ((await readImportState(target.db.read)) !== undefined)
    throw new SourceError('The import is not finished; run it again without --check');
  return reportOf(survey, await proveImport({ ...target, source: deps.source, findings, log }));
};
