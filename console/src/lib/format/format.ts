const pad = (value: number): string => String(value).padStart(2, '0');

/** `YYYY-MM-DD HH:mm:ss`, local time, from unix seconds. */
export const formatTime = (unixSeconds: number): string => {
  const date = new Date(unixSeconds * 1000);
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
};

const steps = [
  { from: 1e9, suffix: 'B', unit: 1e9 },
  { from: 1e6, suffix: 'M', unit: 1e6 },
  { from: 1e4, suffix: 'k', unit: 1e3 },
] as const;

/** Thousands are separated by commas, in both languages. */
const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+(?:\.|$))(?<!\.\d*)/g, ',');

/** `3,185`; `12.3k` from 10,000 on, then `M` and `B`, one decimal (specification §9). */
export const abbreviate = (value: number): string => {
  const size = Math.abs(value);
  const step = steps.find(({ from }) => size >= from);
  return step === undefined ? grouped(String(value)) : `${(value / step.unit).toFixed(1)}${step.suffix}`;
};

/** How quota is shown: the two members of the server's status. */
export interface QuotaDisplay {
  /** Quota units for one dollar. */
  readonly perUnit: number;
  readonly inCurrency: boolean;
}

const inDollars = (quota: number, perUnit: number, decimals: number): string =>
  `${quota < 0 ? '-' : ''}$${grouped(Math.abs(quota / perUnit).toFixed(decimals))}`;

/** `$12.34`, or the abbreviated number of quota units. What would round to nothing is not shown as nothing. */
export const formatQuota = (quota: number, { perUnit, inCurrency }: QuotaDisplay): string => {
  if (!inCurrency) return abbreviate(quota);
  const dollars = quota / perUnit;
  if (dollars !== 0 && Math.abs(dollars) < 0.005) return dollars < 0 ? '>-$0.01' : '<$0.01';
  return inDollars(quota, perUnit, 2);
};

/** As `formatQuota`, but amounts under one cent keep 6 decimals: the log's cost column (ruling 22). */
export const formatCost = (quota: number, display: QuotaDisplay): string => {
  const tiny = quota !== 0 && Math.abs(quota / display.perUnit) < 0.01;
  return display.inCurrency ? inDollars(quota, display.perUnit, tiny ? 6 : 2) : abbreviate(quota);
};

/** Cut at 15 characters with an ellipsis (specification §9). */
export const cutName = (name: string): string => {
  const characters = [...name];
  return characters.length > 15 ? `${characters.slice(0, 15).join('')}…` : name;
};

/** `sk-a9F…x2Q` */
export const maskKey = (key: string): string =>
  key.length > 10 ? `sk-${key.slice(0, 3)}…${key.slice(-3)}` : `sk-${key}`;

export const trimSlash = (address: string): string => address.trim().replace(/\/+$/, '');

/** The parts of a comma-joined list of the wire; other servers of the contract send null for an empty one. */
export const splitList = (list: string | null | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
