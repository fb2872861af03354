import { expect, test } from 'vitest';
import { runRedeemRaces } from './redeem-races.ts';

test('RED-06 of 20 users who try a code at once one gets it, 50 times, also where the server is killed meanwhile', async () => {
  const report = await runRedeemRaces({ rounds: 50, users: 20, nodes: 2, killEvery: 10, roundMsMin: 0 });
  expect(report.disagreements).toEqual([]);
  expect(report.kills).toBe(5);
  expect(report.attempts).toBe(55 * 20);
}, 300_000);
