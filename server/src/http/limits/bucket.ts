import { createHash } from 'node:crypto';

/** One of `count` counters that everything of its kind shares, so that made-up texts cannot fill the database. */
export const bucketOf = (text: string, count: number): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) % count;
