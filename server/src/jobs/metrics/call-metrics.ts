import { Counter, type Registry } from 'prom-client';
import type { ChargeReport } from '../../relay/call/relay-observer.ts';
import { CountedHistogram, Observations } from './counted-histogram.ts';

/** Seconds: the bounds that the OpenTelemetry conventions for generative AI give for these two. */
const durationBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const firstTokenBounds = [0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60];

/** Combinations of model, channel and group with figures of their own, and models with histograms: then all share one. */
const combinationsMax = 1000;
const modelsMax = 100;
const other = 'other';

interface Sums {
  readonly model: string;
  readonly group: string;
  readonly channel: string;
  calls: number;
  input: number;
  output: number;
  quota: number;
}

interface Times {
  readonly duration: Observations;
  readonly firstToken: Observations;
}

const newSums = (model: string, group: string, channel: string): Sums => ({
  model,
  group,
  channel,
  calls: 0,
  input: 0,
  output: 0,
  quota: 0,
});

const newTimes = (): Times => ({
  duration: new Observations(durationBounds),
  firstToken: new Observations(firstTokenBounds),
});

const childOf = <Key, Value>(map: Map<Key, Map<string, Value>>, key: Key): Map<string, Value> => {
  const found = map.get(key) ?? new Map<string, Value>();
  map.set(key, found);
  return found;
};

/** Finds the sums of a combination by three look-ups, without making a text of it. */
const createCombinations = () => {
  const all: Sums[] = [];
  const byChannel = new Map<number, Map<string, Map<string, Sums>>>();
  const rest = newSums(other, other, other);
  const find = (channelId: number, model: string, group: string) => byChannel.get(channelId)?.get(model)?.get(group);
  const add = ({ channelId, model, group }: ChargeReport): Sums => {
    if (all.length >= combinationsMax) return rest;
    const sums = newSums(model, group, String(channelId));
    all.push(sums);
    const models = byChannel.get(channelId) ?? new Map<string, Map<string, Sums>>();
    byChannel.set(channelId, models);
    childOf(models, model).set(group, sums);
    return sums;
  };
  return {
    of: (charge: ChargeReport) => find(charge.channelId, charge.model, charge.group) ?? add(charge),
    all: () => (rest.calls > 0 ? [...all, rest] : all),
  };
};

const createTimes = () => {
  const byModel = new Map<string, Times>();
  return {
    of: (model: string): Times => {
      const found = byModel.get(model);
      if (found !== undefined) return found;
      const name = byModel.size < modelsMax ? model : other;
      const times = byModel.get(name) ?? newTimes();
      byModel.set(name, times);
      return times;
    },
    each: (part: keyof Times) => () => [...byModel].map(([model, times]) => [model, times[part]] as const),
  };
};

const labelNames = ['gen_ai_request_model', 'channel', 'group'];

const showSums = (registry: Registry, all: () => readonly Sums[]): void => {
  const labelsOf = ({ model, channel, group }: Sums) => ({ gen_ai_request_model: model, channel, group });
  const show = (name: string, help: string, valueOf: (sums: Sums) => number) =>
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const sums of all()) this.inc(labelsOf(sums), valueOf(sums));
      },
    });
  show('weir_calls_total', 'Charged calls, free ones included.', ({ calls }) => calls);
  show('weir_calls_quota_total', 'Quota charged: what the calls cost their users.', ({ quota }) => quota);
  new Counter({
    name: 'weir_calls_tokens_total',
    help: 'Tokens charged.',
    labelNames: [...labelNames, 'gen_ai_token_type'],
    registers: [registry],
    collect() {
      this.reset();
      for (const sums of all()) {
        this.inc({ ...labelsOf(sums), gen_ai_token_type: 'input' }, sums.input);
        this.inc({ ...labelsOf(sums), gen_ai_token_type: 'output' }, sums.output);
      }
    },
  });
};

/**
 * Adds the figures of charged calls by model, channel and group. Each call looks its numbers up and adds to them; texts
 * are made when the metrics are read.
 */
export const createCallMetrics = (registry: Registry): ((charge: ChargeReport) => void) => {
  const combinations = createCombinations();
  const times = createTimes();
  showSums(registry, combinations.all);
  const histogram = { registry, label: 'gen_ai_request_model' };
  const duration = { name: 'gen_ai_server_request_duration_seconds', bounds: durationBounds };
  new CountedHistogram({
    ...histogram,
    ...duration,
    help: 'Time from the arrival of a call to its charge, which is before the end of its answer.',
    observed: times.each('duration'),
  });
  const firstToken = { name: 'gen_ai_server_time_to_first_token_seconds', bounds: firstTokenBounds };
  new CountedHistogram({
    ...histogram,
    ...firstToken,
    help: 'Time from sending a streamed call to its upstream to the first event.',
    observed: times.each('firstToken'),
  });
  return (charge) => {
    const sums = combinations.of(charge);
    sums.calls += 1;
    sums.input += charge.prompt;
    sums.output += charge.completion;
    sums.quota += charge.quota;
    if (charge.ms === null) return;
    const own = times.of(charge.model);
    own.duration.add(charge.ms / 1000);
    if (charge.firstMs !== null) own.firstToken.add(charge.firstMs / 1000);
  };
};
