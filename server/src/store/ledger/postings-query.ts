import { CompiledQuery } from 'kysely';
import type { Posting } from './postings.ts';

/** How postings reach the writer thread inside an interactive transaction of SQLite: as a query that is no SQL. */
export class PostingsQuery implements CompiledQuery {
  readonly sql = 'apply postings';
  readonly parameters: readonly unknown[] = [];
  readonly query = CompiledQuery.raw('apply postings').query;
  readonly queryId = CompiledQuery.raw('apply postings').queryId;
  readonly postings: readonly Posting[];

  constructor(postings: readonly Posting[]) {
    this.postings = postings;
  }
}
