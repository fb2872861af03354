/** The sources whose mutants are run, and the tests that should find them beside the simulation. */
export interface Target {
  /** Below `server/src`. */
  readonly file: string;
  /** Whether the simulated money core runs it. */
  readonly simulated: boolean;
  /** Below `server`, in the order in which they run: the quickest first. */
  readonly tests: readonly string[];
  /** Where the tests run, one after the other. Absent: on SQLite. */
  readonly databases?: readonly ('sqlite' | 'postgres')[];
}

const both = ['sqlite', 'postgres'] as const;
const ledgerTests = [
  'src/store/ledger/accounts-state.test.ts',
  'src/store/ledger/apply-to-accounts.test.ts',
  'src/store/ledger/posting-edges.test.ts',
  'src/store/ledger/postings.test.ts',
  'src/store/ledger/undecided-charges.test.ts',
];
const queueTests = ['src/store/engine/posting-queue.test.ts', 'src/store/engine/posting-writer.test.ts'];
const writerTests = ['src/store/database.test.ts', 'src/store/engine/faults.test.ts'];
/** Of batches in one statement. */
const atOnceTests = [
  'src/store/engine/postgres/assumed-accounts.test.ts',
  'src/store/engine/postgres/post-at-once.test.ts',
];
const reservationTests = [
  'src/billing/reservation.test.ts',
  'src/billing/cached-balance.test.ts',
  'src/billing/deferred-holds.test.ts',
  'test/relay/money/balance-end.test.ts',
];
const relayTests = [
  'test/relay/money/hold-overlap.test.ts',
  'test/relay/wire/images-and-speech.test.ts',
  'test/relay/channel-choice.test.ts',
  'test/relay/money/balance-end.test.ts',
  'test/relay/money/parallel-spending.test.ts',
];
const fundsTests = [
  'test/relay/money/hold-terms.test.ts',
  'test/relay/money/hold-overlap.test.ts',
  'test/relay/wire/images-and-speech.test.ts',
  'test/relay/wire/bad-requests.test.ts',
  'test/relay/channel-choice.test.ts',
  'test/relay/money/balance-end.test.ts',
];
const settlementTests = ['src/jobs/relay-metrics.test.ts', 'test/relay/wire/uploads.test.ts', ...relayTests];
const priceTests = ['src/billing/price', 'test/oracles/find-disagreements.test.ts'];
/** Of price cards and of the order in which prices are looked for. */
const cardTests = [
  'src/billing/price/resolve-price.test.ts',
  'src/billing/price/price-table.test.ts',
  'src/billing/price/card-prices.test.ts',
  'src/billing/price/times/hours-window.test.ts',
];

export const targets: readonly Target[] = [
  { file: 'store/ledger/apply-requests.ts', simulated: true, tests: ledgerTests },
  { file: 'store/ledger/apply-credits.ts', simulated: true, tests: ledgerTests },
  { file: 'store/ledger/posting-work.ts', simulated: true, tests: ledgerTests },
  { file: 'store/ledger/apply-to-accounts.ts', simulated: true, tests: ledgerTests, databases: both },
  { file: 'store/ledger/posting-fault.ts', simulated: false, tests: ledgerTests },
  { file: 'store/ledger/accounts-state.ts', simulated: true, tests: ledgerTests },
  { file: 'store/ledger/recover-holds.ts', simulated: true, tests: ['src/store/ledger/recover-holds.test.ts'] },
  { file: 'billing/reservation.ts', simulated: true, tests: reservationTests, databases: both },
  { file: 'billing/reserved-quota.ts', simulated: true, tests: reservationTests, databases: both },
  { file: 'billing/stored-hold.ts', simulated: true, tests: reservationTests },
  { file: 'billing/cached-balance.ts', simulated: true, tests: reservationTests },
  { file: 'billing/accounts.ts', simulated: true, tests: reservationTests, databases: both },
  {
    file: 'billing/deferred-holds.ts',
    simulated: true,
    tests: [...reservationTests, 'test/relay/money/hold-overlap.test.ts'],
  },
  { file: 'billing/hold.ts', simulated: true, tests: ['src/billing/hold.test.ts'] },
  { file: 'billing/hold-guard.ts', simulated: true, tests: ['src/billing/hold-guard.test.ts'] },
  { file: 'billing/price/price.ts', simulated: true, tests: priceTests },
  { file: 'billing/price/ratio.ts', simulated: true, tests: priceTests },
  { file: 'billing/price/usage.ts', simulated: false, tests: priceTests },
  { file: 'billing/price/usage-parts.ts', simulated: false, tests: priceTests },
  { file: 'billing/price/resolve-price.ts', simulated: false, tests: cardTests },
  { file: 'billing/price/price-table.ts', simulated: false, tests: cardTests },
  { file: 'billing/price/times/hours-window.ts', simulated: false, tests: cardTests },
  { file: 'billing/price/own-price-index.ts', simulated: false, tests: cardTests },
  { file: 'billing/price/card-prices.ts', simulated: false, tests: cardTests },
  {
    file: 'store/engine/posting-queue.ts',
    simulated: true,
    tests: [...queueTests, ...writerTests],
    databases: ['postgres'],
  },
  {
    file: 'store/engine/posting-writer.ts',
    simulated: true,
    tests: [...queueTests, ...writerTests],
    databases: ['postgres'],
  },
  {
    file: 'store/engine/sqlite/write-queue.ts',
    simulated: true,
    tests: ['src/store/engine/sqlite/write-queue.test.ts', ...writerTests],
  },
  { file: 'store/engine/sqlite/post-alone.ts', simulated: true, tests: ['src/store/engine/sqlite/post-alone.test.ts'] },
  {
    file: 'store/engine/postgres/assumed-accounts.ts',
    simulated: true,
    tests: atOnceTests,
    databases: ['postgres'],
  },
  {
    file: 'store/engine/postgres/post-at-once.ts',
    simulated: true,
    tests: atOnceTests,
    databases: ['postgres'],
  },
  {
    file: 'store/engine/postgres/recent-accounts.ts',
    simulated: false,
    tests: atOnceTests,
    databases: ['postgres'],
  },
  { file: 'relay/call/settlement.ts', simulated: false, tests: settlementTests },
  { file: 'relay/call/call-funds.ts', simulated: false, tests: fundsTests, databases: both },
];
