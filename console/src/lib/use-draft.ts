import { useState } from 'react';
import { isRecord } from './is-record.ts';
import { tabMemory } from './storage.ts';

/**
 * The values of a create form, kept for this tab so that a reload loses nothing. Only members of `initial` with the
 * same type come back. Not for secrets.
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
    tabMemory.write(`draft:${name}`, next);
  };
  return { values, change, forget: () => void tabMemory.take(`draft:${name}`) };
};
