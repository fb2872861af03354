import type { OptionKey } from '@weir/contract/options';
import { createContext, useContext } from 'react';

/** The options as stored and as typed, for the whole page: changes in several tabs are held together. */
export interface Settings {
  /** Administrators can read; only root can change. */
  readonly readOnly: boolean;
  /** Whether the server has this option: other servers of the contract have fewer. */
  exists(key: OptionKey): boolean;
  stored(key: OptionKey): string;
  /** As typed, else as stored. A secret is never known: only its typed text. */
  text(key: OptionKey): string;
  /** Undefined: the server does not report it. */
  isSecretSet(key: OptionKey): boolean | undefined;
  problem(key: OptionKey): string | undefined;
  /** The unsaved texts. */
  readonly unsaved: readonly OptionKey[];
  type(key: OptionKey, text: string): void;
  /** Called on blur: removes trailing slashes from addresses, and shows errors. */
  leave(key: OptionKey): void;
  discard(): void;
  /** Saves the changed options among `keys`. */
  save(keys: readonly OptionKey[]): Promise<void>;
  flip(key: OptionKey, on: boolean): Promise<void>;
}

export const SettingsContext = createContext<Settings | undefined>(undefined);

export const useSettings = (): Settings => {
  const settings = useContext(SettingsContext);
  if (settings === undefined) throw new Error('settings are used outside of their page');
  return settings;
};
