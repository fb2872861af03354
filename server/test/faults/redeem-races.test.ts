import { expect, test } from 'vitest';
import { runRedeemRaces } from './redeem-races.ts';

test('RED-06 of 20 users who try a code at once one gets it, 25 times, also where the server is killed meanwhile', async () => {
  const report = await runRedeemRaces({ rounds: 25, users: 20, nodes: 2, killEvery: 5, roundMsMin: 0 });
  expect(report.disagreements).toEqual([]);
  expect(report.kills).toBe(5);
  expect(report.attempts).toBe(30 * 20);
}, 300_000);
