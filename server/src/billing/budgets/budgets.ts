import { budgetsOf, type BudgetSubject, hasBudgets } from '../../store/budgets/budgets.ts';
import { type BudgetRow, openPeriod } from '../../store/budgets/open-period.ts';
import type { Database } from '../../store/database.ts';
import { namePeriods } from '../../store/ledger/period-names.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { Payer } from '../stored-hold.ts';
import { periodAt } from './calendar.ts';

/** The period of a budget that a call was refused for. */
export interface PeriodFacts {
  readonly budgetId: number;
  /** Unix seconds: the start of the next period. */
  readonly endsAt: number;
}

/** Names the budgets that calls count against. */
export interface Budgets {
  /**
   * The payer with the periods of now that a call of the model counts against; a promise where one is not in memory. It
   * rejects when the database is unavailable.
   */
  payerOf(payer: Payer, model: string): Payer | Promise<Payer>;
  /** What a period is of; undefined: no call named it lately. */
  factsOf(periodId: number): PeriodFacts | undefined;
  close(): void;
}

interface BudgetsDeps {
  readonly db: Database;
  readonly changes: Pick<Changes, 'publish' | 'subscribe'>;
  readonly clock: { now(): number };
  /** Quota units of calls of a period that have no hold yet. */
  reservedIn(periodId: number): number;
}

interface OpenPeriod extends PeriodFacts {
  readonly id: number;
  readonly startsAt: number;
}

interface KnownBudget {
  readonly row: BudgetRow;
  /** Null: it was not opened here. */
  period: OpenPeriod | null;
  opening: Promise<void> | null;
}

/** Subjects that are kept; beyond, all are read again. */
const knownMax = 100_000;
const nothing: readonly KnownBudget[] = [];

const nameOf = ({ scope, subjectId, model }: BudgetSubject): string => `${scope} ${subjectId} ${model}`;

const subjectOf = ({ scope, subject_id, model }: BudgetRow): BudgetSubject => ({ scope, subjectId: subject_id, model });

const covers = ({ startsAt, endsAt }: OpenPeriod, now: number): boolean => now >= startsAt && now < endsAt;

/** Null: the budget was deleted. */
const openCurrent = async (
  { db, changes, reservedIn }: BudgetsDeps,
  { id: budgetId, period, zone }: BudgetRow,
  now: number,
): Promise<OpenPeriod | null> => {
  const opened = await openPeriod(db, budgetId, { times: periodAt(period, zone, now * 1000), reservedIn });
  if (opened === undefined) return null;
  // What is known of the period before, here and on other nodes, is outdated.
  if (opened.takenFrom !== null) changes.publish({ topic: 'period', id: opened.takenFrom });
  const { id, starts_at: startsAt, ends_at: endsAt } = opened.period;
  return { id, budgetId, startsAt, endsAt };
};

/** Reads the budgets of subjects at their first call, and keeps them until a budget changes. */
class KnownBudgets implements Budgets {
  /** Null: whether there are budgets at all is not known. */
  private some: boolean | null = null;
  private generation = 0;
  private readonly known = new Map<string, readonly KnownBudget[]>();
  private readonly facts = new Map<number, PeriodFacts>();
  private readonly unsubscribe: () => void;
  private readonly deps: BudgetsDeps;

  constructor(deps: BudgetsDeps) {
    this.deps = deps;
    this.unsubscribe = deps.changes.subscribe('budget', () => this.forget());
  }

  payerOf(payer: Payer, model: string): Payer | Promise<Payer> {
    if (this.some === false) return payer;
    const subjects = [
      { scope: 'token', subjectId: payer.tokenId, model: '' },
      { scope: 'user', subjectId: payer.userId, model: '' },
      { scope: 'model', subjectId: 0, model },
    ] as const;
    const found = subjects.map((subject) => this.known.get(nameOf(subject)));
    if (found.includes(undefined)) return this.load(subjects).then(() => this.payerOf(payer, model));
    return this.named(
      payer,
      found.flatMap((budgets) => budgets ?? nothing),
    );
  }

  factsOf(periodId: number): PeriodFacts | undefined {
    return this.facts.get(periodId);
  }

  close(): void {
    this.unsubscribe();
  }

  private forget(): void {
    this.generation += 1;
    this.some = null;
    this.known.clear();
  }

  /** Opens the periods of now where they are not open. */
  private named(payer: Payer, budgets: readonly KnownBudget[]): Payer | Promise<Payer> {
    if (budgets.length === 0) return payer;
    const now = Math.floor(this.deps.clock.now() / 1000);
    const closed = budgets.filter(({ period }) => period === null || !covers(period, now));
    if (closed.length > 0)
      return Promise.all(closed.map((budget) => this.open(budget, now))).then(() =>
        this.named(
          payer,
          budgets.filter(({ period }) => period !== null),
        ),
      );
    const names = budgets.flatMap(({ row, period }) =>
      period === null ? [] : [{ id: period.id, isHard: row.hard === 1 }],
    );
    return { ...payer, budgets: namePeriods(names) };
  }

  private async load(subjects: readonly BudgetSubject[]): Promise<void> {
    const { db } = this.deps;
    for (;;) {
      const { generation } = this;
      const some = this.some ?? (await hasBudgets(db.read));
      const rows = some ? await budgetsOf(db.read, subjects) : [];
      // A change meanwhile may be missing.
      if (generation !== this.generation) continue;
      this.some = some;
      if (this.known.size >= knownMax) this.known.clear();
      for (const subject of subjects) {
        const name = nameOf(subject);
        const own = rows.filter((row) => nameOf(subjectOf(row)) === name);
        if (!this.known.has(name))
          this.known.set(name, own.length === 0 ? nothing : own.map((row) => ({ row, period: null, opening: null })));
      }
      return;
    }
  }

  private open(budget: KnownBudget, now: number): Promise<void> {
    budget.opening ??= this.openNow(budget, now).finally(() => (budget.opening = null));
    return budget.opening;
  }

  private async openNow(budget: KnownBudget, now: number): Promise<void> {
    // No call begins in the last period from here on: what its calls have reserved can only become less.
    budget.period = null;
    const opened = await openCurrent(this.deps, budget.row, now);
    if (opened === null) return;
    budget.period = opened;
    if (this.facts.size >= knownMax) this.facts.clear();
    this.facts.set(opened.id, opened);
  }
}

export const createBudgets = (deps: BudgetsDeps): Budgets => new KnownBudgets(deps);
