/**
 * What a vendor charges, by hand: prices are whole thousandths of a dollar for a million tokens, so that a token costs as
 * many nano-dollars; the factor is in thousandths. Shares no code with the product.
 */
export interface OracleRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
}

export interface OracleUse {
  readonly prompt: number;
  readonly completion: number;
  readonly cached?: number;
}

export const oracleCost = (
  { input, output, cacheRead = input }: OracleRates,
  { prompt, completion, cached = 0 }: OracleUse,
  factorThousandths = 1000,
): number => {
  const list =
    BigInt(prompt - cached) * BigInt(input) + BigInt(cached) * BigInt(cacheRead) + BigInt(completion) * BigInt(output);
  const times = list * BigInt(factorThousandths);
  return Number(times / 1000n + (times % 1000n > 0n ? 1n : 0n));
};

/** The same price as a card has it. */
export const cardOf = ({ input, output, cacheRead }: OracleRates) => {
  const dollars = (thousandths: number) => {
    const text = String(thousandths).padStart(4, '0');
    return `${text.slice(0, -3)}.${text.slice(-3)}`;
  };
  return {
    rates: {
      input: dollars(input),
      output: dollars(output),
      ...(cacheRead !== undefined && { cache_read: dollars(cacheRead) }),
    },
  };
};
