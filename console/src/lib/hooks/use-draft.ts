import { useState } from 'react';
import { currentUser } from '../api/session.ts';
import { isRecord } from '../is-record.ts';
import { tabMemory } from '../browser/storage.ts';

/** Drafts of one account are not shown to the next account in the same tab. */
const draftOf = (name: string): string => `draft:${currentUser()?.id ?? 0}:${name}`;
const prefillOf = (name: string): string => `prefill:${currentUser()?.id ?? 0}:${name}`;

/** Prefills a create form before it opens. */
export const prefillForm = (name: string, values: Record<string, unknown>): void =>
  tabMemory.write(prefillOf(name), values);

/** Stored values of the members of `initial`, where they have the same type. */
const usable = <T extends Record<string, unknown>>(stored: unknown, initial: T): T | undefined => {
  if (!isRecord(stored)) return undefined;
  const members = Object.entries(stored).filter(([member, value]) => typeof value === typeof initial[member]);
  return { ...initial, ...Object.fromEntries(members) };
};

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The values of a create form, stored for this tab so that a reload loses nothing. Not for secrets. */
export const useDraft = <T extends Record<string, unknown>>(name: string, initial: T) => {
  const [opened] = useState(() => {
    const prefilled = usable(tabMemory.take(prefillOf(name)), initial);
    if (prefilled !== undefined) tabMemory.write(draftOf(name), prefilled);
    const kept = usable(tabMemory.read(draftOf(name)), initial);
    return {
      values: kept ?? initial,
      restored: prefilled === undefined && kept !== undefined && !isSame(kept, initial),
    };
  });
  const [values, setValues] = useState<T>(opened.values);
  const [restored, setRestored] = useState(opened.restored);
  const change = (changes: Partial<T>): void => {
    const next = { ...values, ...changes };
    setValues(next);
    tabMemory.write(draftOf(name), next);
  };
  const forget = (): void => void tabMemory.take(draftOf(name));
  const restart = (): void => {
    forget();
    setValues(initial);
    setRestored(false);
  };
  return { values, change, forget, restored, restart };
};
