import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyLog, logColumns, type NewLog } from '../../logs/log-columns.ts';
import { emptyEntry } from '../../ledger/posting-work.ts';
import { useKey, type NewEntry } from '../../ledger/accounts-state.ts';
import { chargeColumns, leftOut, pairCharges, parametersOf } from './charge-rows.ts';

const few = fc.nat(2);
const text = fc.constantFrom('', 'a', 'b');

/** In none of the columns that both have, or in one of them. */
const differences: readonly Partial<NewEntry>[] = [
  {},
  {},
  {},
  {},
  { user_id: 7 },
  { token_id: 7 },
  { channel_id: 7 },
  { amount: 7 },
  { created_at: 7 },
  { actor_id: 7 },
  { reason: 'recovered' },
  { op_key: 'another' },
  { request_id: 'other' },
  { kind: 'correction' },
];

interface Call {
  readonly entry: NewEntry;
  readonly log: NewLog | null;
}

/** A call whose entry and log row agree, or differ in one of the columns that both have. */
const call = fc
  .record({
    user_id: few,
    token_id: few,
    channel_id: few,
    quota: few,
    created_at: few,
    cost: fc.integer({ min: -1, max: 2 }),
    run_id: few,
    is_stream: fc.nat(1),
    detail: text,
    unrecovered: few,
    price_version: few,
    estimated: fc.nat(1),
    budgets: text,
    hasLog: fc.boolean(),
    other: fc.constantFrom(...differences),
  })
  .map(({ unrecovered, price_version, estimated, budgets, hasLog, other, ...columns }) => (id: number): Call => {
    const log: NewLog = { ...emptyLog, ...columns, type: 2, request_id: `r${id}` };
    const { user_id, token_id, channel_id, quota, created_at, request_id } = log;
    const shared = { user_id, token_id, channel_id, created_at, request_id, amount: quota, op_key: useKey(request_id) };
    const extras = { unrecovered, price_version, estimated, budgets };
    return { entry: { ...emptyEntry, ...shared, ...extras, kind: 'use', ...other }, log: hasLog ? log : null };
  });

/** What PostgreSQL makes of a charge, and of the first of its batch. */
const written = (row: object, _: number, [usual = {}]: readonly object[]) => {
  const whole: Record<string, unknown> = { ...leftOut, ...usual, ...row };
  const requestId = String(whole['request_id']);
  const log = Object.fromEntries(logColumns.map((column) => [column, whole[column]]));
  const shared = ['user_id', 'token_id', 'channel_id', 'created_at', ...chargeColumns.slice(logColumns.length)];
  const entry = {
    ...Object.fromEntries(shared.map((column) => [column, whole[column]])),
    op_key: useKey(requestId),
    kind: 'use',
    amount: whole['quota'],
    request_id: requestId,
    actor_id: 0,
    reason: '',
  };
  return { entry, log: { ...log, request_id: requestId } };
};

const byRequest = <Row extends { readonly request_id: string; readonly op_key?: string }>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => (one.request_id + one.op_key < other.request_id + other.op_key ? -1 : 1));

test('RELAY-07 a charge and its log row are the same, whether one statement writes both or two', () => {
  let pairs = 0;
  fc.assert(
    fc.property(fc.array(call, { maxLength: 6 }), (makes) => {
      const calls = makes.map((make, index) => make(index));
      const ledger = calls.map(({ entry }) => entry);
      const logs = calls.flatMap(({ log }) => log ?? []);
      const found = pairCharges({ ledger, logs });
      const both = found.charges.map(written);
      pairs += both.length;
      expect(byRequest([...found.ledger, ...both.map(({ entry }) => entry)])).toEqual(byRequest(ledger));
      expect(byRequest([...found.logs, ...both.map(({ log }) => log)])).toEqual(byRequest(logs));
    }),
    { numRuns: 2000 },
  );
  expect(pairs).toBeGreaterThan(500);
});

test('a charge leaves out what is empty, or as in the first charge of its batch', () => {
  const columnsOf = (requestId: string, quota: number) => ({ user_id: 1, request_id: requestId, created_at: 0, quota });
  const calls = [columnsOf('r', 5), columnsOf('s', 0)].map((columns) => {
    const { quota, request_id, ...shared } = columns;
    const log = { ...emptyLog, ...columns, type: 2 };
    const entry: NewEntry = {
      ...emptyEntry,
      ...shared,
      request_id,
      amount: quota,
      op_key: useKey(request_id),
      kind: 'use',
    };
    return { log, entry };
  });
  const found = pairCharges({ ledger: calls.map(({ entry }) => entry), logs: calls.map(({ log }) => log) });
  expect(found).toEqual({
    charges: [
      { user_id: 1, type: 2, quota: 5, request_id: 'r' },
      { quota: 0, request_id: 's' },
    ],
    ledger: [],
    logs: [],
  });
  expect(parametersOf('charges', found.charges)).toEqual([
    '[{},{"quota":0,"request_id":"s"}]',
    '{"user_id":1,"type":2,"quota":5,"request_id":"r"}',
  ]);
});
