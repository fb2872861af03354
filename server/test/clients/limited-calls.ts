import type { TestApp } from '../app/app.ts';

/** Calls that limits of concurrent calls have refused so far, by the metrics. */
export const limitedCalls = async (app: TestApp): Promise<number> => {
  const { text } = await app.visitor().call('GET', '/metrics');
  return Number(/^weir_relay_refusals_total\{rule="rate_limit_concurrent"\} (\d+)$/m.exec(text)?.[1] ?? 0);
};
