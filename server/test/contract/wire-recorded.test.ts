import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, testPassword, type TestApp } from '../app/app.ts';
import { startBillingServer } from '../fakes/services/billing-server.ts';
import { startFakeUpstream } from '../fakes/fake-upstream.ts';
import { isJson } from '../parsing/json.ts';
import recorded from './one-api-answers.json' with { type: 'json' };
import { until } from '../app/relay-app.ts';
import { checkAnswer } from './check-answer.ts';
import { formOf, walkTheWire, type WireAnswer } from './wire-scenario.ts';

let app: TestApp;
let answers: ReadonlyMap<string, WireAnswer>;
const ending = new AsyncDisposableStack();

beforeAll(async () => {
  app = await buildTestApp();
  ending.defer(app.close);
  const upstream = await startFakeUpstream();
  ending.defer(upstream.close);
  const left = {
    object: 'credit_summary',
    total_granted: 9,
    total_used: 3,
    total_remaining: 6.25,
    total_available: 6.5,
  };
  const billing = await startBillingServer({ '/dashboard/billing/credit_grants': { body: left } });
  ending.defer(billing.close);
  const isCharged = async () =>
    (await app.db.read.selectFrom('logs').select('id').where('type', '=', 2).execute()).length === 1 &&
    (await app.db.read.selectFrom('holds').select('request_id').execute()).length === 0;
  const scenario = { url: app.url, rootPassword: testPassword, upstream, billing, check: checkAnswer };
  answers = await walkTheWire(scenario, () => until(isCharged));
});
afterAll(() => ending.disposeAsync());

/** Differences that break a client of the recorded answers. A recorded null allows any value. */
const missing = (there: unknown, here: unknown, path: string): string[] => {
  if (there === 'null') return here === undefined ? [`${path} is absent`] : [];
  if (Array.isArray(there)) {
    if (!Array.isArray(here)) return [`${path} is no list`];
    return there.flatMap((element, index) => missing(element, here[index], `${path}[]`));
  }
  if (isJson(there)) {
    if (!isJson(here)) return [`${path} is no object`];
    return Object.entries(there).flatMap(([name, member]) => missing(member, here[name], `${path}.${name}`));
  }
  return there === here ? [] : [`${path} is ${JSON.stringify(here) ?? 'absent'}, not ${JSON.stringify(there)}`];
};

test('API-02 each answer has the status, the success and every member that One API answers with, of the same kind', () => {
  const differences = Object.entries(recorded.answers).flatMap(([name, there]) => {
    const here = answers.get(name);
    if (here === undefined) return [`${name}: not called`];
    const success = isJson(here.body) ? here.body['success'] : undefined;
    return [
      ...(here.status === there.status ? [] : [`${name}: ${here.status}, not ${there.status}`]),
      ...('success' in there && there.success !== success ? [`${name}: success ${String(success)}`] : []),
      ...missing(there.form, formOf(here.body), name),
    ];
  });
  expect(differences).toEqual([]);
});

test('API-02 balance, billing pages, dashboard and totals have the same figures as One API', () => {
  const answer = Object.entries(recorded.answers).flatMap(([name, there]) =>
    'body' in there ? [{ name, body: there.body }] : [],
  );
  expect(answer.length).toBeGreaterThan(5);
  for (const { name, body } of answer) expect(answers.get(name)?.body, name).toMatchObject(body);
});

test('OPT-SystemName API-02 the list of options has each option of One API but its secrets, as texts', () => {
  const body = answers.get('the options')?.body;
  const listed = isJson(body) && Array.isArray(body['data']) ? body['data'].filter(isJson) : [];
  const keys = new Set(listed.map(({ key }) => key));
  // One API hands out the secret by which it checks visitors.
  expect(recorded.options.filter((key) => !keys.has(key))).toEqual(['TurnstileSecretKey']);
  expect(listed.filter(({ value }) => typeof value !== 'string')).toEqual([]);
});
