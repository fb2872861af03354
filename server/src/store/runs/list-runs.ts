import { logType } from '@weir/contract/logs';
import { sql } from 'kysely';
import type { ReadQueries } from '../database.ts';
import { contains, idIn, searchMax } from '../search.ts';
import type { RunRow } from './runs.ts';

/** A run with its owner and what it has spent. */
export type NamedRun = RunRow & {
  readonly username: string;
  readonly owner_role: number;
  /** Null: the token was deleted. */
  readonly token_name: string | null;
  readonly held: number;
  readonly used: number;
};

const named = (read: ReadQueries) =>
  read
    .selectFrom('runs')
    .innerJoin('users', 'users.id', 'runs.user_id')
    .innerJoin('budget_periods', 'budget_periods.id', 'runs.period_id')
    .leftJoin('tokens', (on) => on.onRef('tokens.id', '=', 'runs.token_id').on('tokens.deleted_time', '=', 0))
    .selectAll('runs')
    .select([
      'users.username',
      'users.role as owner_role',
      'tokens.name as token_name',
      'budget_periods.held',
      'budget_periods.used',
    ]);

interface RunFilter {
  /** Only runs of these users and teams; undefined: all. */
  readonly userIds: readonly number[] | undefined;
  readonly keyword: string;
}

/** Latest first, at most `searchMax`. */
export const listRuns = (read: ReadQueries, { userIds, keyword }: RunFilter): Promise<NamedRun[]> => {
  const all = named(read).orderBy('runs.id', 'desc').limit(searchMax);
  const own = userIds === undefined ? all : all.where('runs.user_id', 'in', userIds);
  if (keyword === '') return own.execute();
  const id = idIn(keyword);
  return own
    .where((eb) =>
      eb.or([
        contains(eb.ref('runs.name'), keyword),
        contains(eb.ref('users.username'), keyword),
        contains(sql<string>`coalesce(tokens.name, '')`, keyword),
        ...(id === undefined ? [] : [eb('runs.id', '=', id)]),
      ]),
    )
    .execute();
};

export const findNamedRun = (read: ReadQueries, id: number): Promise<NamedRun | undefined> =>
  named(read).where('runs.id', '=', id).executeTakeFirst();

/** What the logged calls of one step of a run cost with one model. */
export interface RunStep {
  readonly step: string;
  readonly model: string;
  readonly calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly quota: number;
}

/** Steps with a row of their own at most; the dearest come first. */
const stepsMax = 2000;

/** The steps of a run with their models, the dearest first. */
export const sumRunSteps = async (read: ReadQueries, runId: number): Promise<RunStep[]> => {
  const rows = await read
    .selectFrom('logs')
    .select((on) => [
      'run_step as step',
      'model_name as model',
      on.fn.countAll<number | string>().as('calls'),
      on.fn.sum<number | string>('prompt_tokens').as('prompt_tokens'),
      on.fn.sum<number | string>('completion_tokens').as('completion_tokens'),
      on.fn.sum<number | string>('quota').as('quota'),
    ])
    .where('run_id', '=', runId)
    // The index has rows of runs alone.
    .where('run_id', '>', 0)
    .where('type', '=', logType.consume)
    .groupBy(['run_step', 'model_name'])
    .orderBy('quota', 'desc')
    .limit(stepsMax)
    .execute();
  return rows.map(({ step, model, ...sums }) => ({
    step,
    model,
    calls: Number(sums.calls),
    prompt_tokens: Number(sums.prompt_tokens),
    completion_tokens: Number(sums.completion_tokens),
    quota: Number(sums.quota),
  }));
};
