import type { QueryClient } from '@tanstack/react-query';
import { ownPricesMax } from '@weir/contract/prices/own-prices';
import type { OwnPriceInput, PricedModel } from '@weir/contract/prices/own-prices';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { FormDialog } from '../../../components/overlay/form-dialog.tsx';
import { ViewTabs } from '../../../components/view-tabs.tsx';
import { focusFirstInvalid } from '../../../lib/hooks/focus-first-invalid.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { cardText } from '../editor/current-price.tsx';
import { pricedModelsQuery, storePrices } from '../editor/queries.ts';
import { massPrices } from './mass-change.ts';
import type { MassChange } from './mass-change.ts';
import { MassFields, readMass, startOfMass } from './mass-fields.tsx';

interface MassDialogProps {
  readonly models: readonly PricedModel[];
  readonly onAnswer: (prices: OwnPriceInput[] | undefined) => void;
}

const MassDialog = ({ models, onAnswer }: MassDialogProps) => {
  const t = useT();
  const [typed, setTyped] = useState(startOfMass);
  const [checked, setChecked] = useState(false);
  const [openedAt] = useState(() => Math.floor(Date.now() / 1000));
  const { change, problems } = readMass(typed);
  const result = change && massPrices(models, change, openedAt);
  const submit = (): void => {
    setChecked(true);
    if (result === undefined) focusFirstInvalid();
    else if (result.prices.length > 0) onAnswer(result.prices);
  };
  return (
    <FormDialog
      title={t(m.price_bulk_title, { count: models.length })}
      verb={t(m.save)}
      busy={false}
      onSubmit={submit}
      onClose={() => onAnswer(undefined)}
    >
      <ViewTabs
        label={t(m.price_bulk)}
        current={typed.kind}
        views={[
          ['percent', t(m.price_bulk_percent)],
          ['factor', t(m.price_bulk_factor)],
          ['set', t(m.price_bulk_set)],
          ['free', t(m.price_free)],
        ]}
        onPick={(kind) => setTyped({ ...typed, kind })}
      />
      <MassFields
        typed={typed}
        problems={checked ? problems : new Set()}
        onChange={(changes) => setTyped({ ...typed, ...changes })}
      />
      {change && result && <Preview {...result} kind={change.kind} />}
    </FormDialog>
  );
};

type PreviewProps = ReturnType<typeof massPrices> & Pick<MassChange, 'kind'>;

/** What the change makes of each model. */
const Preview = ({ prices, without, kind }: PreviewProps) => {
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
            <span className="font-mono">{model}</span>{' '}
            <span className="text-bad">{t(kind === 'factor' ? m.price_bulk_no_list : m.price_bulk_none)}</span>
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
    if (names.length > ownPricesMax) return toast('error', m.price_bulk_too_many({ count: ownPricesMax }));
    const { models } = await client.query(pricedModelsQuery(''));
    const prices = await askFor(models.filter(({ model }) => names.includes(model)));
    if (prices === undefined) return;
    const stored = await storePrices(client, prices);
    toast('success', m.price_many_saved({ count: prices.length }));
    if (stored.overruled.length > 0) toast('warning', m.price_overruled({ model: stored.overruled.join(', ') }));
  } catch (error) {
    toastFailure(error);
  }
};
