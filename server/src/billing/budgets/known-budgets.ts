import { budgetsOf, type BudgetSubject, hasBudgets } from '../../store/budgets/budgets.ts';
import type { BudgetRow } from '../../store/budgets/open-period.ts';
import type { Database } from '../../store/database.ts';

/** The period of a budget that a call counts against. Times are unix seconds. */
export interface OpenPeriod {
  readonly id: number;
  readonly budgetId: number;
  readonly startsAt: number;
  /** The start of the next period. */
  readonly endsAt: number;
}

export interface KnownBudget {
  readonly row: BudgetRow;
  /** Null: it was not opened here. */
  period: OpenPeriod | null;
  opening: Promise<OpenPeriod | null> | null;
}

/** Subjects that are kept; beyond, all are read again. */
const knownMax = 100_000;
const nothing: readonly KnownBudget[] = [];

const nameOf = ({ scope, subjectId, model }: BudgetSubject): string => `${scope} ${subjectId} ${model}`;

const subjectOf = ({ scope, subject_id, model }: BudgetRow): BudgetSubject => ({
  scope,
  subjectId: subject_id,
  model,
});

/** Budgets by subject, read at its first call and kept until any budget changes. */
export class KnownBudgets {
  /** Rises with every change. */
  generation = 0;
  /** Null: whether there are budgets at all is not known. */
  private some: boolean | null = null;
  private readonly known = new Map<string, readonly KnownBudget[]>();
  private readonly db: Pick<Database, 'read'>;

  constructor(db: Pick<Database, 'read'>) {
    this.db = db;
  }

  /** There are no budgets at all. */
  isEmpty(): boolean {
    return this.some === false;
  }

  /** The budgets of all of the subjects; undefined: they are to be loaded. */
  find(subjects: readonly BudgetSubject[]): readonly KnownBudget[] | undefined {
    const found: KnownBudget[] = [];
    for (const subject of subjects) {
      const own = this.known.get(nameOf(subject));
      if (own === undefined) return undefined;
      found.push(...own);
    }
    return found;
  }

  async load(subjects: readonly BudgetSubject[]): Promise<void> {
    for (;;) {
      const { generation } = this;
      const some = this.some ?? (await hasBudgets(this.db.read));
      const rows = some ? await budgetsOf(this.db.read, subjects) : [];
      // A change meanwhile may be missing.
      if (generation !== this.generation) continue;
      this.some = some;
      if (this.known.size >= knownMax) this.known.clear();
      for (const subject of subjects) this.keep(nameOf(subject), rows);
      return;
    }
  }

  forget(): void {
    this.generation += 1;
    this.some = null;
    this.known.clear();
  }

  private keep(name: string, rows: readonly BudgetRow[]): void {
    if (this.known.has(name)) return;
    const own = rows.filter((row) => nameOf(subjectOf(row)) === name);
    this.known.set(name, own.length === 0 ? nothing : own.map((row) => ({ row, period: null, opening: null })));
  }
}
