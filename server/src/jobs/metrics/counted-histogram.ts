import { Histogram, type Registry } from 'prom-client';

/** Observations of one set of labels. Adding one allocates nothing. */
export class Observations {
  sum = 0;
  /** The last one is of values above every bound. */
  readonly counts: Float64Array;
  private readonly bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  add(value: number): void {
    const { bounds, counts } = this;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1;
    counts[index] = (counts[index] ?? 0) + 1;
    this.sum += value;
  }
}

export interface CountedHistogramOptions {
  readonly registry: Registry;
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly bounds: readonly number[];
  /** By the value of the label. */
  readonly observed: () => Iterable<readonly [value: string, observations: Observations]>;
}

/** A histogram whose values are kept outside of it until they are read. */
export class CountedHistogram extends Histogram {
  private readonly options: CountedHistogramOptions;
  /** Gives name, help and type in the registry's form. */
  private readonly empty: Histogram;

  constructor(options: CountedHistogramOptions) {
    const { registry, name, help, label, bounds } = options;
    const configuration = { name, help, labelNames: [label], buckets: [...bounds] };
    super({ ...configuration, registers: [registry] });
    this.options = options;
    this.empty = new Histogram({ ...configuration, registers: [] });
  }

  override async get(): Promise<Awaited<ReturnType<Histogram['get']>>> {
    const { name, label, bounds, observed } = this.options;
    const values = [...observed()].flatMap(([value, { counts, sum }]) => {
      let count = 0;
      const buckets = [...counts].map((own, index) => {
        count += own;
        return { metricName: `${name}_bucket`, labels: { [label]: value, le: bounds[index] ?? '+Inf' }, value: count };
      });
      const labels = { [label]: value };
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    return { ...(await this.empty.get()), values };
  }

  /** What the registry calls for its text, where a metric has it. */
  getForPromString(): ReturnType<CountedHistogram['get']> {
    return this.get();
  }
}
