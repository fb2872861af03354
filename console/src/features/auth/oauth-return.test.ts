import { role } from '@weir/contract/roles';
import type { SignedInUser } from '@weir/contract/users';
import { expect, test } from 'vitest';
import { CallError } from '../../lib/api/call-error.ts';
import { finishReturn } from './oauth-return.ts';

const user: SignedInUser = {
  id: 7,
  username: 'octo',
  password: '',
  display_name: 'Octo',
  role: role.user,
  status: 1,
  email: '',
  github_id: '',
  wechat_id: '',
  lark_id: '',
  oidc_id: '',
  verification_code: '',
  access_token: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: '',
  aff_code: '',
  inviter_id: 0,
};
const signedIn = { message: '', data: user };
const lost = new CallError('unreachable', 'failed to fetch');
const broken = new CallError('http', 'HTTP 502', 502);
const refused = new CallError('refused', 'This GitHub account is already bound');

type Answer = { readonly message: string; readonly data?: SignedInUser } | CallError;

/** Runs with these answers in order, repeats the last one, and aborts after the given number of waits. */
const run = async (answers: readonly Answer[], waitsMax = 10) => {
  const waits: number[] = [];
  const retries: number[] = [];
  const failures: unknown[] = [];
  const leaving = new AbortController();
  let requests = 0;
  const outcome = await finishReturn({
    ask: async () => {
      const answer = answers[Math.min(requests, answers.length - 1)] ?? lost;
      requests += 1;
      if (answer instanceof CallError) throw answer;
      return answer;
    },
    signal: leaving.signal,
    onRetry: ({ attempt, error }) => {
      retries.push(attempt);
      failures.push(error);
    },
    wait: async (ms) => {
      waits.push(ms);
      if (waits.length === waitsMax) leaving.abort(new Error('left'));
    },
  }).catch((error: unknown) => String(error));
  return { outcome, waits, retries, failures };
};

test('OAUTH-03 the message bind means binding, anything else a sign-in', async () => {
  expect((await run([signedIn])).outcome).toEqual({ kind: 'signedIn', user });
  expect((await run([{ message: 'bind' }])).outcome).toEqual({ kind: 'bound' });
});

test('OAUTH-02 a refusal of the first attempt is final, whatever its status below 500', async () => {
  for (const error of [refused, new CallError('http', 'state', 403), new CallError('http', '', 429)]) {
    expect(await run([error])).toEqual({ outcome: { kind: 'refused', error }, waits: [], retries: [], failures: [] });
  }
});

test('OAUTH-02 without an answer, or after a 5xx, it retries after 2000 ms times the attempt', async () => {
  const { outcome, waits, retries } = await run([lost, broken, lost, signedIn]);
  expect(outcome).toEqual({ kind: 'signedIn', user });
  expect(waits).toEqual([2000, 4000, 6000]);
  expect(retries).toEqual([1, 2, 3]);
});

test('OAUTH-02 C63 later failures of any kind are retried until the screen is left, each with its reason', async () => {
  const { outcome, waits, failures } = await run([lost, refused], 5);
  expect(failures).toEqual([lost, refused, refused, refused, refused]);
  expect(outcome).toBe('Error: left');
  expect(waits).toEqual([2000, 4000, 6000, 8000, 10_000]);
});
