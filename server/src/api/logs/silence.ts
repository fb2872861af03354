import type { Silence } from '@weir/contract/usage';
import type { Database } from '../../store/database.ts';
import { sumModelHours } from '../../store/logs/log-hours.ts';

const hourSeconds = 3600;
const hoursPerDay = 24;
const daysCompared = 7;
/** Days with calls in the compared hour, yesterday among them; with fewer the model is no steady one. */
const daysMin = 5;
/** Mean calls of the compared hour; with fewer an hour without a call proves nothing. */
const callsMin = 20;

/** By model; under null all models together. */
type Calls = ReadonlyMap<string | null, number>;

const callsOf = async (db: Database, hours: readonly number[]): Promise<ReadonlyMap<number, Calls>> => {
  const counted = new Map(hours.map((hour) => [hour, new Map<string | null, number>()]));
  for (const { hour, model, requests } of await sumModelHours(db, hours)) {
    const ofHour = counted.get(hour);
    for (const name of [model, null]) ofHour?.set(name, (ofHour.get(name) ?? 0) + requests);
  }
  return counted;
};

/** The mean calls of an hour of the day on earlier days, of whatever had calls on most of them. */
const usualCalls = async (db: Database, hour: number): Promise<Calls> => {
  const days = Array.from({ length: daysCompared }, (_, index) => hour - (index + 1) * hoursPerDay);
  const counted = await callsOf(db, days);
  const usual = new Map<string | null, number>();
  for (const name of counted.get(hour - hoursPerDay)?.keys() ?? []) {
    const calls = [...counted.values()].map((ofDay) => ofDay.get(name) ?? 0);
    const mean = calls.reduce((sum, each) => sum + each, 0) / daysCompared;
    if (calls.filter((each) => each > 0).length >= daysMin && mean >= callsMin) usual.set(name, mean);
  }
  return usual;
};

/**
 * Models, or the whole gateway, that had calls at this hour of most earlier days and have none since the last full hour
 * began. The earlier days are read once an hour.
 */
export const createSilence = (db: Database): ((nowSeconds: number) => Promise<Silence>) => {
  let known: { readonly hour: number; readonly usual: Promise<Calls> } | undefined;
  return async (nowSeconds) => {
    const running = Math.floor(nowSeconds / hourSeconds);
    const last = running - 1;
    if (known?.hour !== last) known = { hour: last, usual: usualCalls(db, last) };
    const usual = await known.usual.catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    const since = last * hourSeconds;
    if (usual.size === 0) return { since, gateway: false, models: [] };
    const current = await callsOf(db, [last, running]);
    const isSilent = (name: string | null): boolean => [...current.values()].every((ofHour) => !ofHour.has(name));
    const gateway = usual.has(null) && isSilent(null);
    const models = [...usual.keys()].filter((name) => name !== null).filter(isSilent);
    return { since, gateway, models: gateway ? [] : models.toSorted() };
  };
};
