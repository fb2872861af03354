/** A named source position at which the server process is killed. */
export interface Failpoint {
  readonly name: string;
  /** A path relative to `server/src`. */
  readonly file: string;
  /** Occurs once in the file; the process ends right before or right behind it. */
  readonly text: string;
  readonly at: 'before' | 'behind';
  /**
   * The work that reaches it: calls, calls beside a session of PostgreSQL that locks their account, calls with long answers,
   * redemptions, a start after a crash, a first start.
   */
  readonly way: 'calls' | 'locked' | 'long' | 'codes' | 'start' | 'first';
  /** The only database that has it; absent: both. */
  readonly kind?: 'sqlite' | 'postgres';
}

const funds = 'relay/call/call-funds.ts';
const call = 'relay/call/run-call.ts';
const plain = 'relay/call/deliver-plain.ts';
const stream = 'relay/call/deliver-stream.ts';
const settlement = 'relay/call/settlement.ts';
const reservation = 'billing/reservation.ts';
const reservedQuota = 'billing/reserved-quota.ts';
const storedHold = 'billing/stored-hold.ts';
const redeeming = 'billing/credits/redeeming.ts';
const sqliteThread = 'store/engine/sqlite/sqlite-writer-thread.ts';
const transact = 'store/engine/postgres/postgres-transact.ts';
const recovery = 'store/ledger/recover-holds.ts';
const firstStart = 'jobs/first-start.ts';

const ofCalls: readonly Failpoint[] = [
  { name: 'reserved-in-memory', file: funds, text: '  funds.hold(channel.id);\n', at: 'before', way: 'calls' },
  { name: 'hold-on-its-way', file: funds, text: '  funds.hold(channel.id);\n', at: 'behind', way: 'calls' },
  {
    name: 'upstream-answered',
    file: call,
    text: '    if (!isFailed(answered)) {\n',
    at: 'behind',
    way: 'calls',
  },
  { name: 'upstream-failed', file: call, text: '    const failure = new FailedUpstream(', at: 'before', way: 'calls' },
  { name: 'before-a-release', file: call, text: '    if (!funds.reservation.isEnded())', at: 'before', way: 'calls' },
  {
    name: 'hold-durable',
    file: stream,
    text: '    await Promise.all([billing.funds.secured(), keepGiven(call, billing, null)]);\n',
    at: 'behind',
    way: 'calls',
  },
  { name: 'head-sent', file: stream, text: '    const seen: Seen = {', at: 'before', way: 'calls' },
  { name: 'mid-stream', file: stream, text: '        this.checkpoint.pass();\n', at: 'behind', way: 'calls' },
  {
    name: 'stream-ended-upstream',
    file: stream,
    text: "    if (end.kind === 'complete') stream.answer.",
    at: 'before',
    way: 'calls',
  },
  { name: 'stream-settled', file: stream, text: '    finish(call, stream, end, usage);\n', at: 'before', way: 'calls' },
  {
    name: 'terminator-sent',
    file: stream,
    text: '    finish(call, stream, end, usage);\n',
    at: 'behind',
    way: 'calls',
  },
  { name: 'answer-settled', file: plain, text: '  call.client.answer(', at: 'before', way: 'calls' },
  {
    name: 'before-a-settlement',
    file: settlement,
    text: '  const result = await billing.funds.settle({',
    at: 'before',
    way: 'calls',
  },
  {
    name: 'behind-a-settlement',
    file: settlement,
    text: '  const { prompt, completion } =',
    at: 'before',
    way: 'calls',
  },
  {
    name: 'posting-confirmed',
    file: reservedQuota,
    text: '      const result = await this.db.post(posting);\n',
    at: 'behind',
    way: 'calls',
  },
  { name: 'checkpoint-due', file: stream, text: '    this.last = now;\n', at: 'behind', way: 'long' },
  {
    name: 'checkpoint-on-its-way',
    file: reservation,
    text: '    const { db, requestId, onError } = this.options;\n',
    at: 'behind',
    way: 'long',
  },
  { name: 'before-an-extension', file: reservation, text: '    quota.reserve(by);\n', at: 'behind', way: 'long' },
  { name: 'behind-an-extension', file: reservation, text: '    this.reserved += by;\n', at: 'before', way: 'long' },
];

const ofWriters: readonly Failpoint[] = [
  {
    name: 'sqlite-batch-begun',
    file: sqliteThread,
    text: '    let units = runStatements();\n',
    at: 'before',
    way: 'calls',
    kind: 'sqlite',
  },
  {
    name: 'sqlite-batch-done',
    file: sqliteThread,
    text: '    commit();\n    return { units,',
    at: 'before',
    way: 'calls',
    kind: 'sqlite',
  },
  {
    name: 'sqlite-batch-committed',
    file: sqliteThread,
    text: '    return { units, postings: replies };\n',
    at: 'before',
    way: 'calls',
    kind: 'sqlite',
  },
  {
    name: 'deferred-hold-due',
    file: storedHold,
    text: '    const { details, amount } = this;\n',
    at: 'before',
    way: 'calls',
    kind: 'sqlite',
  },
  {
    name: 'postgres-batch-at-once',
    file: transact,
    text: '    const written = await (recent.areShared()',
    at: 'before',
    way: 'calls',
    kind: 'postgres',
  },
  {
    name: 'postgres-batch-at-once-written',
    file: transact,
    text: '    recent.noteWritten(written.uses);\n',
    at: 'before',
    way: 'calls',
    kind: 'postgres',
  },
  {
    name: 'postgres-batch-begun',
    file: transact,
    text: '    const posted = post(runnerIn(client, begun),',
    at: 'before',
    way: 'locked',
    kind: 'postgres',
  },
  {
    name: 'postgres-batch-done',
    file: transact,
    text: "    await client.query('commit');\n",
    at: 'before',
    way: 'locked',
    kind: 'postgres',
  },
  {
    name: 'postgres-batch-committed',
    file: transact,
    text: "    return { kind: 'done', results };\n",
    at: 'before',
    way: 'locked',
    kind: 'postgres',
  },
];

const ofCodes: readonly Failpoint[] = [
  { name: 'code-requested', file: redeeming, text: '    const added = await mutex(', at: 'before', way: 'codes' },
  { name: 'code-credited', file: redeeming, text: '    await alongside(trx, code);\n', at: 'before', way: 'codes' },
  { name: 'code-committed', file: redeeming, text: '    deps.changes.publish(', at: 'before', way: 'codes' },
];

const ofStarts: readonly Failpoint[] = [
  {
    name: 'holds-found',
    file: recovery,
    text: '    const outcomes = await Promise.all(holds.map(',
    at: 'before',
    way: 'start',
  },
  { name: 'holds-recovered', file: recovery, text: '    ended.push(...holds.filter(', at: 'before', way: 'start' },
  {
    name: 'within-the-migrations',
    file: '../migrations/0004-log-days.ts',
    text: '  for (const [name, key] of',
    at: 'before',
    way: 'first',
  },
  {
    name: 'migrated',
    file: 'store/engine/migrate.ts',
    text: '  if (error === undefined) return;\n',
    at: 'before',
    way: 'first',
  },
  {
    name: 'root-half-made',
    file: firstStart,
    text: "      await applyPostings(trx, [{ kind: 'credit'",
    at: 'before',
    way: 'first',
  },
  { name: 'root-made', file: firstStart, text: '  return made && options.password', at: 'before', way: 'first' },
];

/** Every step of a call, a commit, a redemption and a start. A crash at any of them must not lose or add money. */
export const failpoints: readonly Failpoint[] = [...ofCalls, ...ofWriters, ...ofCodes, ...ofStarts];
