import { CompiledQuery } from 'kysely';
import type { Posting } from './postings.ts';

/** Postings for the writer thread inside an interactive transaction of SQLite: a query that is not SQL. */
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
