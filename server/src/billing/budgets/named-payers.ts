import type { Payer } from '../stored-hold.ts';

/** A payer with the periods that its calls of a model count against, and the time in which all of them run. */
export interface NamedPayer {
  readonly payer: Payer;
  /** Unix seconds. */
  readonly from: number;
  readonly before: number;
}

/** Models that are kept for one payer; beyond, all of its are named again. */
const modelsMax = 1000;

/** Payers that were named, so that a call costs two looks into maps. */
export class NamedPayers {
  private known = new WeakMap<Payer, Map<string, NamedPayer>>();

  find(payer: Payer, model: string, now: number): Payer | undefined {
    const found = this.known.get(payer)?.get(model);
    return found !== undefined && now >= found.from && now < found.before ? found.payer : undefined;
  }

  keep(payer: Payer, model: string, named: NamedPayer): void {
    const models = this.known.get(payer) ?? new Map<string, NamedPayer>();
    if (models.size >= modelsMax) models.clear();
    models.set(model, named);
    this.known.set(payer, models);
  }

  forget(): void {
    this.known = new WeakMap();
  }
}
