/**
 * Cost of rate limits for a relayed call, in processor time: with rules of every scope for requests, tokens and calls at
 * the same time, over 10,000 tokens. `node bench/rate-limits.ts [--write]`.
 */
import { limitMetrics, limitScopes, limitsModel } from '@weir/contract/limits/limit-rules';
import { CallLimits } from '../server/src/relay/rates/call-limits.ts';
import { createLimitIndex } from '../server/src/relay/rates/limit-index.ts';
import { circumstances, keepResult } from './circumstances.ts';

const callCount = 200_000;
const tokenCount = 10_000;

const everyRule = limitScopes.flatMap((scope) => limitMetrics.map((metric) => ({ scope, metric })));
const ownRules = [
  { scope: 'token', metric: 'requests' },
  { scope: 'token', metric: 'tokens' },
  { scope: 'token', metric: 'concurrent' },
] as const;

const indexOf = (
  rules: readonly { readonly scope: (typeof limitScopes)[number]; readonly metric: (typeof limitMetrics)[number] }[],
) =>
  createLimitIndex({
    rows: rules.map(({ scope, metric }, index) => ({
      id: index + 1,
      scope,
      subject: '',
      model: limitsModel(scope) ? 'gpt-4o' : '',
      metric,
      period: metric === 'concurrent' ? ('' as const) : ('minute' as const),
      amount: 1e12,
      created_time: 0,
    })),
    nodes: 1,
    room: { cells: 0, max: 200_000 },
    now: 0,
    last: null,
  });

const channel = { id: 1, keyIndex: 0, channelKey: 'key' };

/** Microseconds of processor time a call. */
const perCall = (rules: Parameters<typeof indexOf>[0]): number => {
  const runs = Array.from({ length: 7 }, () => {
    const index = indexOf(rules);
    let now = 0;
    const begun = process.cpuUsage();
    for (let each = 0; each < callCount; each += 1) {
      now += 0.1;
      const tokenId = each % tokenCount;
      const call = { tokenId, userId: tokenId % 1000, group: 'default', model: 'gpt-4o', reserve: () => 900 };
      const limits = new CallLimits(call, { index: () => index, now: () => now, freed: () => undefined });
      limits.admit();
      limits.headers(false, now);
      limits.waitAt(channel);
      limits.enter(channel);
      limits.charged(700);
      limits.end();
    }
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / callCount;
  });
  return Number(Math.min(...runs).toFixed(2));
};

const result = {
  what: 'processor time that rate limits add to a relayed call, in microseconds; the least of 7 runs of 200,000 calls',
  ...circumstances(),
  rules: { ofTokens: ownRules.length, ofEveryScope: everyRule.length },
  microseconds: { withRulesOfTokens: perCall(ownRules), withRulesOfEveryScope: perCall(everyRule) },
};
console.log(result);
if (process.argv.includes('--write')) keepResult('rate-limits', result);
