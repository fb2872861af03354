import { useState } from 'react';
import { isRecord } from '../is-record.ts';
import { tabMemory } from '../browser/storage.ts';

/** Prefills a create form before it opens. */
export const writeDraft = (name: string, values: Record<string, unknown>): void =>
  tabMemory.write(`draft:${name}`, values);

/**
 * The values of a create form, stored for this tab so that a reload loses nothing. Only members of `initial` with the
 * same type are restored. Not for secrets.
 */
export const useDraft = <T extends Record<string, unknown>>(name: string, initial: T) => {
  const [values, setValues] = useState<T>(() => {
    const kept = tabMemory.read(`draft:${name}`);
    if (!isRecord(kept)) return initial;
    const usable = Object.entries(kept).filter(([member, value]) => typeof value === typeof initial[member]);
    return { ...initial, ...Object.fromEntries(usable) };
  });
  const change = (changes: Partial<T>): void => {
    const next = { ...values, ...changes };
    setValues(next);
    writeDraft(name, next);
  };
  return { values, change, forget: () => void tabMemory.take(`draft:${name}`) };
};
