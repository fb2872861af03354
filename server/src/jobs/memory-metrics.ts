import { Counter, Gauge, type Registry } from 'prom-client';
import type { MemoryBudget } from '../relay/memory/memory-budget.ts';

/** Adds what relayed calls hold to the metrics; the figures are read when the metrics are. */
export const showMemory = (registry: Registry, memory: MemoryBudget): void => {
  const registers = [registry];
  new Gauge({
    name: 'weir_relay_memory_bytes',
    help: 'Bytes that relayed calls hold: bodies, fetched content, answers and events.',
    registers,
    collect() {
      this.set(memory.held());
    },
  });
  new Gauge({
    name: 'weir_relay_memory_limit_bytes',
    help: 'Bytes that they may hold.',
    registers,
    collect() {
      this.set(memory.limits.processMax);
    },
  });
  new Counter({
    name: 'weir_relay_memory_refusals_total',
    help: 'Calls that were refused more memory, by the bound that they reached: call, user, process.',
    labelNames: ['bound'],
    registers,
    collect() {
      this.reset();
      for (const [bound, count] of Object.entries(memory.refused())) this.inc({ bound }, count);
    },
  });
};
