import { until } from '../app/relay-app.ts';
import type { Behaviour, FakeUpstream } from '../fakes/fake-upstream.ts';

interface Contest<Answer> {
  readonly upstream: FakeUpstream;
  /** Calls at once. */
  readonly parallel: number;
  /** How many of them can be paid. */
  readonly covered: number;
  /** What the upstream answers. */
  readonly behaviour: Behaviour;
  readonly ask: (index: number) => Promise<Answer>;
}

/**
 * Sends calls at once, whose answers begin when all that cannot be paid are refused. Resolves to the answers, and to how many
 * calls reached the upstream.
 */
export const compete = async <Answer extends { readonly status: number }>(contest: Contest<Answer>) => {
  const { upstream, parallel, covered, behaviour, ask } = contest;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  upstream.behave(() => ({ ...behaviour, until: gate }));
  const before = upstream.journal().length;
  let refused = 0;
  const calls = Array.from({ length: parallel }, async (_, index) => {
    let answer = await ask(index);
    // The database may be slow on a busy machine: a client that gets a retry answer tries again.
    while (answer.status === 503) answer = await ask(index);
    if (answer.status === 403 || answer.status === 401) refused += 1;
    return answer;
  });
  await until(() => refused === parallel - covered && upstream.running() === covered).finally(open);
  return { answers: await Promise.all(calls), reached: upstream.journal().length - before };
};
