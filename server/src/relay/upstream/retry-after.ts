/** How long an upstream asked to be left alone, in milliseconds (RFC 9110, 10.2.3: seconds or a date); 0: it did not. */
export const retryAfterMs = (header: string, now: number): number => {
  const text = header.trim();
  if (text === '') return 0;
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Math.round(Number(text) * 1000);
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
};
