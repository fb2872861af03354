import type { TestApp } from './app.ts';

/** The present value of a metric by its line's name and labels, as `weir_refusals_total{rule="x"}`; 0: it has no line. */
export const readMetric = async (app: TestApp, line: string): Promise<number> => {
  const { text } = await app.visitor().call('GET', '/metrics');
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? 0 : Number(found.slice(line.length + 1));
};
