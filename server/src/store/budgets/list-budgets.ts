import { sql } from 'kysely';
import type { ReadQueries } from '../database.ts';
import { contains, idIn, searchMax } from '../search.ts';
import type { BudgetRow } from './open-period.ts';

/** A budget with the names of what it is of. Budgets of deleted tokens and users, and of former members, are not listed. */
export type NamedBudget = BudgetRow & {
  readonly token_name: string | null;
  /** The user of the budget, the owner of its token, or the team of its member; null: a model. */
  readonly owner_id: number | null;
  readonly owner: string | null;
  readonly owner_role: number | null;
  /** The member of a team that the budget is of; null: none. */
  readonly member_name: string | null;
};

const named = (read: ReadQueries) =>
  read
    .selectFrom('budgets')
    .leftJoin('tokens', (on) =>
      on
        .onRef('tokens.id', '=', 'budgets.subject_id')
        .on('budgets.scope', '=', 'token')
        .on('tokens.deleted_time', '=', 0),
    )
    .leftJoin('team_members', (on) =>
      on
        .onRef('team_members.id', '=', 'budgets.subject_id')
        .on('budgets.scope', '=', 'member')
        .on('team_members.left_time', '=', 0),
    )
    .leftJoin('users as people', 'people.id', 'team_members.user_id')
    .leftJoin('users', (on) =>
      on
        .on(
          'users.id',
          '=',
          sql<number>`coalesce(tokens.user_id, team_members.team_id, case when budgets.scope = 'user' then budgets.subject_id end)`,
        )
        .on('users.status', '<>', 3),
    )
    .selectAll('budgets')
    .select([
      'tokens.name as token_name',
      'users.id as owner_id',
      'users.username as owner',
      'users.role as owner_role',
      'people.username as member_name',
    ])
    .where((eb) => eb.or([eb('budgets.scope', '=', 'model'), eb('users.id', 'is not', null)]));

interface BudgetFilter {
  /** Only budgets of these accounts and their tokens; absent: all. */
  readonly ownerIds?: readonly number[];
  readonly keyword: string;
}

/** Latest first, at most `searchMax`. */
export const listBudgets = (read: ReadQueries, { ownerIds, keyword }: BudgetFilter): Promise<NamedBudget[]> => {
  const all = named(read).orderBy('budgets.id', 'desc').limit(searchMax);
  const own = ownerIds === undefined ? all : all.where('users.id', 'in', ownerIds);
  if (keyword === '') return own.execute();
  const id = idIn(keyword);
  return own
    .where((eb) =>
      eb.or([
        contains(eb.ref('budgets.model'), keyword),
        contains(sql<string>`coalesce(tokens.name, '')`, keyword),
        contains(sql<string>`coalesce(users.username, '')`, keyword),
        contains(sql<string>`coalesce(people.username, '')`, keyword),
        ...(id === undefined ? [] : [eb('budgets.id', '=', id), eb('budgets.subject_id', '=', id)]),
      ]),
    )
    .execute();
};

/** Those of one token. */
export const listTokenBudgets = (read: ReadQueries, tokenId: number): Promise<NamedBudget[]> =>
  named(read)
    .where('budgets.scope', '=', 'token')
    .where('budgets.subject_id', '=', tokenId)
    .orderBy('budgets.id')
    .execute();

export const findNamedBudget = (read: ReadQueries, id: number): Promise<NamedBudget | undefined> =>
  named(read).where('budgets.id', '=', id).executeTakeFirst();

/** A budget of which much is used in the present period. */
export type SpentBudget = NamedBudget & { readonly granted: number; readonly spent: number };

/** Budgets of whose present period at least so many percent were charged. `now`: unix seconds. */
export const findSpentBudgets = async (
  read: ReadQueries,
  { percent, now, limit }: { readonly percent: number; readonly now: number; readonly limit: number },
): Promise<{ readonly rows: readonly SpentBudget[]; readonly count: number }> => {
  const spent = named(read)
    .innerJoin('budget_periods', 'budget_periods.budget_id', 'budgets.id')
    .where('budget_periods.starts_at', '<=', now)
    .where('budget_periods.ends_at', '>', now)
    .where(sql<boolean>`budget_periods.used * 100 >= budget_periods.granted * ${sql.lit(percent)}`);
  const [rows, counted] = await Promise.all([
    spent
      .select(['budget_periods.granted', 'budget_periods.used as spent'])
      .orderBy('budgets.id')
      .limit(limit)
      .execute(),
    spent
      .clearSelect()
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count: Number(counted.count) };
};
