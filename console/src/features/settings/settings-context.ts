import type { OptionKey } from '@weir/contract/options';
import { createContext, useContext } from 'react';

/** The options as stored and as typed, for the whole page: changes in several tabs wait side by side. */
export interface Settings {
  /** Administrators look; only root changes. */
  readonly readOnly: boolean;
  /** Whether the server has this option: other servers of the contract have fewer. */
  exists(key: OptionKey): boolean;
  stored(key: OptionKey): string;
  /** As typed, else as stored. A secret is never known, so only what was typed. */
  text(key: OptionKey): string;
  /** Undefined: the server does not report it. */
  isSecretSet(key: OptionKey): boolean | undefined;
  problem(key: OptionKey): string | undefined;
  /** What was typed and not saved yet. */
  readonly unsaved: readonly OptionKey[];
  type(key: OptionKey, text: string): void;
  /** The field was left: addresses lose their slash, and what is wrong is said. */
  leave(key: OptionKey): void;
  discard(): void;
  /** Saves what changed among `keys`. */
  save(keys: readonly OptionKey[]): Promise<void>;
  flip(key: OptionKey, on: boolean): Promise<void>;
}

export const SettingsContext = createContext<Settings | undefined>(undefined);

export const useSettings = (): Settings => {
  const settings = useContext(SettingsContext);
  if (settings === undefined) throw new Error('settings are used outside of their page');
  return settings;
};
