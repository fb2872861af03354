const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  M: 2_592_000,
  y: 31_536_000,
};

const relative = /^([+-])\s*(\d{1,6})\s*([smhdwMy])$/;
const absolute = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

const fromParts = (parts: readonly number[]): number | undefined => {
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = parts;
  const date = new Date(year, month - 1, day, hours, minutes, seconds);
  // 31 February would roll over into March.
  const real = date.getMonth() === month - 1 && date.getDate() === day && hours < 24 && minutes < 60 && seconds < 60;
  return real ? date.getTime() : undefined;
};

/** Unix seconds, rounded up, of a typed time: `2026-03-01 18:00` in local time, `now`, `+7d`; undefined: not a time. */
export const parseTime = (text: string, nowMs: number): number | undefined => {
  const typed = text.trim();
  if (/^now$/i.test(typed)) return Math.ceil(nowMs / 1000);
  const shift = relative.exec(typed);
  if (shift) {
    const [, sign, amount, unit = ''] = shift;
    return Math.ceil(nowMs / 1000 + (sign === '-' ? -1 : 1) * Number(amount) * (unitSeconds[unit] ?? 0));
  }
  const parts = absolute
    .exec(typed)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  const ms = parts && fromParts(parts);
  return ms === undefined ? undefined : Math.ceil(ms / 1000);
};
