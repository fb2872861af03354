/** Bytes of UTF-8 text times this is the "approximate token" rule of the reference gateway (wire contract 3.7). */
const tokensPerByte = 0.38;

/** The rule behind the option ApproximateTokenEnabled: trunc(bytes · 0.38). */
export const approximateTokens = (bytes: number): number => Math.trunc(bytes * tokensPerByte);

/** An estimate that is seldom too low costs a larger hold; this margin covers most of the rest. */
const margin = 1.1;

/** Prompt tokens to hold for a body of this many bytes. */
export const heldPromptTokens = (promptBytes: number): number => Math.ceil(promptBytes * tokensPerByte * margin);

const asciiPerToken = 3;
const longText = 64 * 1024;

/**
 * A running measure of streamed text that tends to be too high: a third of a token per ASCII character, one per other
 * character, at least one per piece. Settlement never uses it.
 */
export const roughTokens = (text: string): number => {
  let others = 0;
  // Finding out that there are none is quicker than counting them.
  if (text.length >= longText && Buffer.byteLength(text) === text.length) return text.length / asciiPerToken;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) others++;
  return text === '' ? 0 : Math.max(1, (text.length - others) / asciiPerToken + others);
};
