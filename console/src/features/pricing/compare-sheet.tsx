import type { ModelPrice } from '@weir/contract/prices/pricing';
import { useState } from 'react';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { Field } from '../../components/form/field.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Input } from '../../components/form/input.tsx';
import { Select } from '../../components/form/select.tsx';
import { Sheet } from '../../components/overlay/sheet.tsx';
import { SheetHead } from '../../components/overlay/sheet-head.tsx';
import { formatRate } from '../../lib/format/format-rate.ts';
import { useLanguage } from '../../lib/browser/locale.ts';
import { usePhone } from '../../lib/hooks/use-media.ts';
import { useQuotaDisplay } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { InputCell, OutputCell, PartCell, unsetTexts } from './price-cells.tsx';
import { PriceNotes } from './price-notes.tsx';
import { partLabels } from './part-labels.ts';
import { comparedMax, costOf } from './price-rows.ts';
import type { PriceRow, Use } from './price-rows.ts';

interface CompareSheetProps {
  readonly rows: readonly PriceRow[];
  readonly compared: readonly string[];
  /** Adds or removes a model. */
  readonly onFlip: (model: string) => void;
  readonly onClose: () => void;
}

/** Compares the cost of a usage with each of a few models, and shows the parts of their prices. */
export const CompareSheet = ({ rows, compared, onFlip, onClose }: CompareSheetProps) => {
  const t = useT();
  const phone = usePhone();
  const [use, setUse] = useState<Use>({ input: 1000, output: 500, requests: 100 });
  const chosen = compared.flatMap((name) => rows.find(({ model }) => model === name) ?? []);
  return (
    <Sheet beside={!phone} onClose={onClose}>
      <SheetHead title={t(m.price_compare)} />
      <div className="flex flex-1 flex-col gap-5 overflow-y-auto p-5">
        <UseFields use={use} onChange={setUse} />
        {chosen.map((row) => (
          <Compared key={row.model} row={row} use={use} onRemove={() => onFlip(row.model)} />
        ))}
        {chosen.length < comparedMax && <AddModel rows={rows} compared={compared} onPick={onFlip} />}
      </div>
    </Sheet>
  );
};

const useFields: readonly (readonly [name: keyof Use, word: Message])[] = [
  ['input', m.price_use_input],
  ['output', m.price_use_output],
  ['requests', m.price_use_requests],
];

const UseFields = ({ use, onChange }: { readonly use: Use; readonly onChange: (use: Use) => void }) => {
  const t = useT();
  const read = (text: string): number => Math.min(1e9, Math.max(0, Math.trunc(Number(text)) || 0));
  return (
    <div className="grid grid-cols-3 gap-3">
      {useFields.map(([name, word]) => (
        <Field key={name} label={t(word)}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={String(use[name])}
              onChange={({ target }) => onChange({ ...use, [name]: read(target.value) })}
            />
          )}
        </Field>
      ))}
    </div>
  );
};

interface ComparedProps {
  readonly row: PriceRow;
  readonly use: Use;
  readonly onRemove: () => void;
}

const Compared = ({ row, use, onRemove }: ComparedProps) => {
  const t = useT();
  return (
    <section aria-label={row.model} className="rounded-card border border-line">
      <div className="flex items-center gap-1 border-b border-line py-1 pr-1 pl-3">
        <h3 className="min-w-0 flex-1 truncate font-mono text-13 font-semibold" title={row.model}>
          {row.model}
        </h3>
        <CopyButton text={row.model} label={t(m.price_copy)} />
        <IconButton icon="close" label={t(m.remove_named, { name: row.model })} onClick={onRemove} />
      </div>
      {row.prices.map((price, index) => (
        <PriceOf key={price.ratios.model + price.ratios.completion} row={row} price={price} index={index} use={use} />
      ))}
    </section>
  );
};

interface PriceOfProps {
  readonly row: PriceRow;
  readonly price: ModelPrice;
  readonly index: number;
  readonly use: Use;
}

const PriceOf = ({ row, price, index, use }: PriceOfProps) => {
  const t = useT();
  const language = useLanguage();
  const display = useQuotaDisplay();
  const { ratios } = price;
  const { unit, rule } = row;
  const quota = costOf(row, price, use);
  const text = unit === 'token' && price.by_piece !== true;
  const lines = [
    [t(text ? m.price_input : m.price_price), <InputCell key="input" unit={unit} rule={rule} price={price} />] as const,
    ...(text ? price.parts : []).map(
      ({ part }) =>
        [t(partLabels[part]), <PartCell key={part} unit={unit} rule={rule} price={price} part={part} />] as const,
    ),
    ...(text ? [[t(m.price_output), <OutputCell key="output" unit={unit} rule={rule} price={price} />] as const] : []),
  ];
  return (
    <div className="border-t border-line p-3 first-of-type:border-t-0">
      {row.prices.length > 1 && <p className="text-12 text-mute">{t(m.price_variant, { number: index + 1 })}</p>}
      <p className="text-20 font-semibold">
        {formatRate(quota, display)}{' '}
        <span className="text-13 font-normal text-mute">
          {t(m.quota_units, { count: quota.toLocaleString(language) })}
        </span>
      </p>
      <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-13 tabular-nums">
        {lines.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-mute">{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <PriceNotes price={price} />
      <p className="mt-2 text-12 text-mute">{t(m.price_ratios, ratios)}</p>
      {!price.priced && <p className="mt-1 text-12 text-warn">{t(unsetTexts[rule])}</p>}
      {price.by_piece === true && row.unit !== 'image' && (
        <p className="mt-1 text-12 text-mute">{t(m.price_piece_note)}</p>
      )}
      {row.unit === 'image' && <p className="mt-1 text-12 text-mute">{t(m.price_image_note)}</p>}
    </div>
  );
};

interface AddModelProps extends Pick<CompareSheetProps, 'rows' | 'compared'> {
  readonly onPick: (model: string) => void;
}

const AddModel = ({ rows, compared, onPick }: AddModelProps) => {
  const t = useT();
  const left = rows.filter(({ model }) => !compared.includes(model));
  if (left.length === 0) return null;
  return (
    <Select
      aria-label={t(m.price_add)}
      value=""
      choices={[['', t(m.price_add)], ...left.map(({ model }) => [model, model] as const)]}
      onPick={(model) => model && onPick(model)}
    />
  );
};
