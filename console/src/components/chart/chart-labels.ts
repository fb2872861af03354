interface Buckets {
  /** Unix seconds, ascending: where each begins. */
  readonly at: readonly number[];
  /** Seconds of each. */
  readonly step: number;
}

const pad = (value: number): string => String(value).padStart(2, '0');
const daySeconds = 86_400;

/** What stands under a bucket. Whole days are the server's, UTC; hours are local. */
export const labelOf = (at: number, step: number): string => {
  const time = new Date(at * 1000);
  if (step % daySeconds === 0) return `${pad(time.getUTCMonth() + 1)}-${pad(time.getUTCDate())}`;
  const hour = `${pad(time.getHours())}:${pad(time.getMinutes())}`;
  return hour === '00:00' ? `${pad(time.getMonth() + 1)}-${pad(time.getDate())}` : hour;
};

const labelPx = 64;
/** So many buckets may lie between two labels. */
const strides = [1, 2, 3, 4, 6, 7, 8, 12, 14, 24, 28, 48, 96];

/** Which buckets have a label where so many pixels are for all: whole parts of a day, from midnight on. */
export const labelledBuckets = ({ at, step }: Buckets, widthPx: number): number[] => {
  const needed = Math.ceil((labelPx * at.length) / Math.max(1, widthPx));
  const stride = strides.find((each) => each >= needed) ?? needed;
  const placeOf = (time: number): number => {
    if (step % daySeconds === 0) return Math.round(time / step);
    const local = new Date(time * 1000);
    return Math.round((local.getHours() * 3600 + local.getMinutes() * 60) / step);
  };
  return at.filter((time) => placeOf(time) % stride === 0);
};
