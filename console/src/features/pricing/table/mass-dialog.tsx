import type { QueryClient } from '@tanstack/react-query';
import type { OwnPriceInput, PricedModel } from '@weir/contract/prices/own-prices';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { FormDialog } from '../../../components/overlay/form-dialog.tsx';
import { ViewTabs } from '../../../components/view-tabs.tsx';
import { readExact } from '../../../lib/format/exact.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { cardText } from '../editor/current-price.tsx';
import { pricedModelsQuery, storePrices } from '../editor/queries.ts';
import { massPrices } from './mass-change.ts';

interface MassDialogProps {
  readonly models: readonly PricedModel[];
  readonly onAnswer: (prices: OwnPriceInput[] | undefined) => void;
}

const MassDialog = ({ models, onAnswer }: MassDialogProps) => {
  const t = useT();
  const [kind, setKind] = useState<'factor' | 'free'>('factor');
  const [typed, setTyped] = useState('1.2');
  const factor = readExact(typed.trim().replace(',', '.'));
  const change = kind === 'free' ? ({ kind } as const) : factor && ({ kind, factor } as const);
  const result = change && massPrices(models, change);
  return (
    <FormDialog
      title={t(m.price_bulk_title, { count: models.length })}
      verb={t(m.save)}
      busy={false}
      onSubmit={() => result && result.prices.length > 0 && onAnswer(result.prices)}
      onClose={() => onAnswer(undefined)}
    >
      <ViewTabs
        label={t(m.price_bulk)}
        current={kind}
        views={[
          ['factor', t(m.price_bulk_factor)],
          ['free', t(m.price_free)],
        ]}
        onPick={setKind}
      />
      {kind === 'factor' && (
        <Field
          label={t(m.price_bulk_times)}
          hint={t(m.price_bulk_hint)}
          error={factor === undefined ? t(m.price_factor_wrong) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              className="tabular-nums"
            />
          )}
        </Field>
      )}
      {result && <Preview {...result} />}
    </FormDialog>
  );
};

/** What the change makes of each model. */
const Preview = ({ prices, without }: ReturnType<typeof massPrices>) => {
  const t = useT();
  return (
    <div
      role="region"
      aria-label={t(m.price_csv_changes)}
      tabIndex={0}
      className="max-h-48 min-h-24 overflow-y-auto rounded-control border border-line bg-raised px-3 py-2 text-13"
    >
      <ul>
        {prices.map(({ model, card }) => (
          <li key={model} className="py-0.5 wrap-anywhere">
            <span className="font-mono">{model}</span>{' '}
            <span className="text-mute tabular-nums">{cardText(card, t)}</span>
          </li>
        ))}
        {without.map((model) => (
          <li key={model} className="py-0.5 wrap-anywhere">
            <span className="font-mono">{model}</span> <span className="text-bad">{t(m.price_bulk_no_list)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
};

const askFor = (models: readonly PricedModel[]): Promise<OwnPriceInput[] | undefined> => {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  return new Promise((resolve) => {
    const onAnswer = (prices: OwnPriceInput[] | undefined): void => {
      resolve(prices);
      root.unmount();
      container.remove();
    };
    root.render(<MassDialog models={models} onAnswer={onAnswer} />);
  });
};

/** Asks how the prices of these models should change, and changes all of them or none. */
export const changePrices = async (client: QueryClient, names: readonly string[]): Promise<void> => {
  try {
    const { models } = await client.query(pricedModelsQuery(''));
    const prices = await askFor(models.filter(({ model }) => names.includes(model)));
    if (prices === undefined) return;
    await storePrices(client, prices);
    toast('success', m.price_many_saved({ count: prices.length }));
  } catch (error) {
    toastFailure(error);
  }
};
