interface Buckets {
  /** Unix seconds, ascending: start of each bucket. */
  readonly at: readonly number[];
  /** Length of a bucket in seconds. */
  readonly step: number;
}

const pad = (value: number): string => String(value).padStart(2, '0');
const daySeconds = 86_400;

/** The label of a bucket. Whole days are the server's, UTC; hours are local. */
export const labelOf = (at: number, step: number): string => {
  const time = new Date(at * 1000);
  if (step % daySeconds === 0) return `${pad(time.getUTCMonth() + 1)}-${pad(time.getUTCDate())}`;
  const hour = `${pad(time.getHours())}:${pad(time.getMinutes())}`;
  return hour === '00:00' ? `${pad(time.getMonth() + 1)}-${pad(time.getDate())}` : hour;
};

const labelPx = 64;
/** Allowed numbers of buckets between two labels. */
const strides = [1, 2, 3, 4, 6, 7, 8, 12, 14, 24, 28, 48, 96];

/** The buckets that get a label in the given width: even parts of a day, from midnight. */
export const labelledBuckets = ({ at, step }: Buckets, widthPx: number): number[] => {
  const needed = Math.ceil((labelPx * at.length) / Math.max(1, widthPx));
  const stride = strides.find((each) => each >= needed) ?? needed;
  const bucketNumber = (time: number): number => {
    if (step % daySeconds === 0) return Math.round(time / step);
    const local = new Date(time * 1000);
    return Math.round((local.getHours() * 3600 + local.getMinutes() * 60) / step);
  };
  return at.filter((time) => bucketNumber(time) % stride === 0);
};
