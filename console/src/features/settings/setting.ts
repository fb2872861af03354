import { options } from '@weir/contract/options';
import type { OptionEntry, OptionKey } from '@weir/contract/options';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** The kind of control of an option. Switches save immediately, everything else with its section. */
export type Control =
  | 'switch'
  | 'text'
  | 'url'
  | 'number'
  | 'quota'
  | 'secret'
  | 'theme'
  | 'choice'
  | 'long-text'
  | 'domains'
  | 'ratios';

/** Every option, in the order of the controls. */
export const optionKeys: readonly OptionKey[] = Object.keys(options).filter((key): key is OptionKey => key in options);

export const entryOf = (key: OptionKey): OptionEntry => options[key];

/** The control for the entry of an option. */
export const controlOf = ({ kind, secret, format, unit, choices }: OptionEntry): Control => {
  switch (kind) {
    case 'boolean':
      return 'switch';
    case 'integer':
    case 'number':
      return unit === 'quota' ? 'quota' : 'number';
    case 'list':
      return 'domains';
    case 'text':
      if (secret) return 'secret';
      if (choices !== undefined) return 'choice';
      return format === undefined ? 'text' : format === 'theme' ? 'theme' : 'long-text';
    case 'url':
    case 'ratios':
      return kind;
  }
};

/** Props of the control of an option. */
export interface SettingProps {
  readonly name: OptionKey;
}

/** Label and hint of an option; the hint may be empty. A label that the catalogue lacks does not compile. */
export const useOptionText = (key: OptionKey): { readonly label: string; readonly hint: string } => {
  const t = useT();
  return { label: t(m.option_label, { key }), hint: t(m.option_hint, { key }) };
};
