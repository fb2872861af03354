import type { IncomingHttpHeaders } from 'node:http';
import { runCallsMax, runHeaders, runQuotaMax, runSecondsMax } from '@weir/contract/limits/run-rules';
import type { RunTerms } from '../../store/runs/runs.ts';
import { RelayError } from '../client/relay-error.ts';

/** What a call says of the run that it belongs to. */
export interface NamedRun {
  readonly name: string;
  /** Where in the run's work it belongs, as `plan/search`; empty: at the top. */
  readonly step: string;
  /** The limits that the client sets, counted if this call is the run's first. */
  readonly terms: RunTerms;
}

const nameForm = /^[\x21-\x7e]{1,100}$/;
const stepForm = /^[\x20-\x7e]{0,200}$/;
const levelsMax = 8;

const invalid = (header: string): RelayError => new RelayError('run_invalid', { header });

const textOf = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
};

const numberOf = (headers: IncomingHttpHeaders, name: string, max: number): number => {
  const text = textOf(headers, name);
  if (text === '') return 0;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw invalid(name);
  return value;
};

const stepOf = (headers: IncomingHttpHeaders): string => {
  const text = textOf(headers, runHeaders.step);
  const levels = text
    .split('/')
    .map((level) => level.trim())
    .filter((level) => level !== '');
  if (!stepForm.test(text) || levels.length > levelsMax) throw invalid(runHeaders.step);
  return levels.join('/');
};

/** The run of a call; null: it names none. Throws the refusal of headers that cannot be read. */
export const readRunHeaders = (headers: IncomingHttpHeaders): NamedRun | null => {
  const name = textOf(headers, runHeaders.id);
  if (name === '') return null;
  if (!nameForm.test(name)) throw invalid(runHeaders.id);
  return {
    name,
    step: stepOf(headers),
    terms: {
      amount: numberOf(headers, runHeaders.budget, runQuotaMax),
      callsMax: numberOf(headers, runHeaders.calls, runCallsMax),
      seconds: numberOf(headers, runHeaders.seconds, runSecondsMax),
    },
  };
};
