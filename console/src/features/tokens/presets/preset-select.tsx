import { useQuery } from '@tanstack/react-query';
import { Field } from '../../../components/form/field.tsx';
import { Select } from '../../../components/form/select.tsx';
import { hasCapabilities } from '../../../lib/api/capabilities.ts';
import { keyPresetsQuery } from '../../../lib/api/key-presets.ts';
import { currentStatus } from '../../../lib/api/status.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { TokenValues } from '../form/token-values.ts';
import { valuesByPreset } from './preset-values.ts';

/** Fills in the form of a new token by a key preset; nothing where there is none. */
export const PresetSelect = ({ onPick }: { readonly onPick: (values: TokenValues) => void }) => {
  const t = useT();
  const { data: presets = [] } = useQuery({ ...keyPresetsQuery, enabled: hasCapabilities(currentStatus()) });
  if (presets.length === 0) return null;
  const choices = [['', t(m.preset_none)] as const, ...presets.map(({ id, name }) => [String(id), name] as const)];
  const pick = (id: string): void => {
    const preset = presets.find((each) => String(each.id) === id);
    if (preset) onPick(valuesByPreset(preset));
  };
  return (
    <Field label={t(m.preset_pick)}>
      {(control) => <Select {...control} value="" choices={choices} onPick={pick} />}
    </Field>
  );
};
