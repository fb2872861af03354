import type { PriceCard } from '@weir/contract/prices/price-book';
import { useState } from 'react';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { AmountField } from './amount-field.tsx';
import { unitNames } from './price-draft.ts';
import type { PriceFormState } from './use-price-form.ts';

const rare = [
  'cache_write_1h',
  'audio_prompt',
  'image_prompt',
  'reasoning',
  'audio_completion',
  'image_completion',
] as const;

/** Amounts that few models have: parts of tokens, and what is priced by the piece. */
export const MoreFields = ({ form, list }: { readonly form: PriceFormState; readonly list: PriceCard | undefined }) => {
  const t = useT();
  const { draft, problems, setDraft } = form;
  const [opened] = useState(
    rare.some((name) => draft.rates[name] !== undefined) || unitNames.some((name) => draft.units[name] !== undefined),
  );
  const isWrong = [...rare, ...unitNames].some((name) => problems.has(name));
  return (
    <details open={opened || isWrong} className="border-t border-line pt-3">
      <summary className="min-h-6 text-13 font-medium">{t(m.price_more)}</summary>
      <div className="grid grid-cols-2 gap-x-4 gap-y-4 pt-3 max-phone:grid-cols-1">
        {rare.map((name) => (
          <AmountField
            key={name}
            name={name}
            value={draft.rates[name] ?? ''}
            list={list?.rates?.[name]}
            wrong={problems.has(name)}
            onChange={(text) => setDraft({ rates: { ...draft.rates, [name]: text } })}
          />
        ))}
        {unitNames.map((name) => (
          <AmountField
            key={name}
            name={name}
            value={draft.units[name] ?? ''}
            list={list?.units?.[name]}
            wrong={problems.has(name)}
            onChange={(text) => setDraft({ units: { ...draft.units, [name]: text } })}
          />
        ))}
      </div>
    </details>
  );
};
