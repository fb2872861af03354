import { openPeriod } from '../../store/budgets/open-period.ts';
import type { Database } from '../../store/database.ts';
import { type NamedPeriod, namePeriods } from '../../store/ledger/period-names.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { Payer } from '../stored-hold.ts';
import { periodAt } from './calendar.ts';
import { type KnownBudget, KnownBudgets, type OpenPeriod } from './known-budgets.ts';
import { NamedPayers } from './named-payers.ts';

/** Names the budgets that calls count against. */
export interface Budgets {
  /**
   * The payer with the periods of now that a call of the model counts against; a promise where one is not in memory. It
   * rejects when the database is unavailable.
   */
  payerOf(payer: Payer, model: string): Payer | Promise<Payer>;
  /** A period that a call was refused for; undefined: no call named it lately. */
  findPeriod(id: number): OpenPeriod | undefined;
  close(): void;
}

interface BudgetsDeps {
  readonly db: Database;
  readonly changes: Pick<Changes, 'publish' | 'subscribe'>;
  readonly clock: { now(): number };
  /** Quota units of calls of a period that have no hold yet. */
  reservedIn(periodId: number): number;
}

interface BudgetedCall {
  readonly payer: Payer;
  readonly model: string;
  /** Of the budgets that it is named by. */
  readonly generation: number;
}

type CountedPeriod = OpenPeriod & NamedPeriod;

/** Empty: the budget was deleted. */
const countedPeriod = ({ row }: KnownBudget, period: OpenPeriod | null): readonly CountedPeriod[] =>
  period === null ? [] : [{ ...period, isHard: row.hard === 1 }];

/** Periods whose facts are kept for refusals. */
const periodsMax = 100_000;

const covers = ({ startsAt, endsAt }: OpenPeriod, now: number): boolean => now >= startsAt && now < endsAt;

/** Null: the budget was deleted. */
const openCurrent = async (
  { db, changes, reservedIn }: BudgetsDeps,
  { id: budgetId, period, zone }: KnownBudget['row'],
  now: number,
): Promise<OpenPeriod | null> => {
  const opened = await openPeriod(db, budgetId, { times: periodAt(period, zone, now * 1000), reservedIn });
  if (opened === undefined) return null;
  // What is known of the period before, here and on other nodes, is outdated.
  if (opened.takenFrom !== null) changes.publish({ topic: 'period', id: opened.takenFrom });
  const { id, starts_at: startsAt, ends_at: endsAt } = opened.period;
  return { id, budgetId, startsAt, endsAt };
};

/** Finds the budgets of calls, and opens their periods. */
class OpenedBudgets implements Budgets {
  private readonly known: KnownBudgets;
  private readonly payers = new NamedPayers();
  private readonly periods = new Map<number, OpenPeriod>();
  private readonly unsubscribe: () => void;
  private readonly deps: BudgetsDeps;

  constructor(deps: BudgetsDeps) {
    this.deps = deps;
    this.known = new KnownBudgets(deps.db);
    this.unsubscribe = deps.changes.subscribe('budget', () => {
      this.known.forget();
      this.payers.forget();
    });
  }

  payerOf(payer: Payer, model: string): Payer | Promise<Payer> {
    if (this.known.isEmpty()) return payer;
    const now = Math.floor(this.deps.clock.now() / 1000);
    const kept = this.payers.find(payer, model, now);
    if (kept !== undefined) return kept;
    const subjects = [
      { scope: 'token', subjectId: payer.tokenId, model: '' },
      { scope: 'user', subjectId: payer.userId, model: '' },
      { scope: 'model', subjectId: 0, model },
      ...(payer.memberId === undefined ? [] : [{ scope: 'member', subjectId: payer.memberId, model: '' } as const]),
    ] as const;
    const found = this.known.find(subjects);
    if (found === undefined) return this.known.load(subjects).then(() => this.payerOf(payer, model));
    return this.named({ payer, model, generation: this.known.generation }, found, now);
  }

  findPeriod(id: number): OpenPeriod | undefined {
    return this.periods.get(id);
  }

  close(): void {
    this.unsubscribe();
  }

  private named(call: BudgetedCall, budgets: readonly KnownBudget[], now: number): Payer | Promise<Payer> {
    const open = budgets.filter(({ period }) => period !== null && covers(period, now));
    if (open.length < budgets.length) return this.namedOnceOpen(call, budgets, now);
    return this.keep(
      call,
      budgets.flatMap((budget) => countedPeriod(budget, budget.period)),
    );
  }

  private async namedOnceOpen(call: BudgetedCall, budgets: readonly KnownBudget[], now: number): Promise<Payer> {
    const opened = await Promise.all(
      budgets.map(async (budget) => countedPeriod(budget, await this.open(budget, now))),
    );
    return this.keep(call, opened.flat());
  }

  private keep({ payer, model, generation }: BudgetedCall, counted: readonly CountedPeriod[]): Payer {
    const found = counted.length === 0 ? payer : { ...payer, budgets: namePeriods(counted) };
    const from = Math.max(...counted.map(({ startsAt }) => startsAt));
    const before = Math.min(...counted.map(({ endsAt }) => endsAt));
    // A budget that changed meanwhile counts from the next call on.
    if (generation === this.known.generation) this.payers.keep(payer, model, { payer: found, from, before });
    return found;
  }

  /** The period of an instant. Null: the budget was deleted. */
  private async open(budget: KnownBudget, now: number): Promise<OpenPeriod | null> {
    if (budget.period !== null && covers(budget.period, now)) return budget.period;
    for (;;) {
      budget.opening ??= this.openNow(budget, now).finally(() => (budget.opening = null));
      const opened = await budget.opening;
      // Around a renewal another call may have opened the period of its own instant.
      if (opened === null || covers(opened, now)) return opened;
    }
  }

  private async openNow(budget: KnownBudget, now: number): Promise<OpenPeriod | null> {
    // No call begins in the last period from here on: what its calls have reserved can only become less.
    budget.period = null;
    const opened = await openCurrent(this.deps, budget.row, now);
    if (opened === null) return null;
    budget.period = opened;
    if (this.periods.size >= periodsMax) this.periods.clear();
    this.periods.set(opened.id, opened);
    return opened;
  }
}

export const createBudgets = (deps: BudgetsDeps): Budgets => new OpenedBudgets(deps);
