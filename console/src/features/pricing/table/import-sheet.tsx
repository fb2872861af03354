import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ownPricesMax } from '@weir/contract/prices/own-prices';
import type { PricedModels } from '@weir/contract/prices/own-prices';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Field } from '../../../components/form/field.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Sheet } from '../../../components/overlay/sheet.tsx';
import { SheetHead } from '../../../components/overlay/sheet-head.tsx';
import { failureText } from '../../../lib/api/failure-text.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { cardText } from '../editor/current-price.tsx';
import { pricedModelsQuery, storePrices } from '../editor/queries.ts';
import { readPrices } from './price-csv.ts';
import type { CsvFault, CsvReading } from './price-csv.ts';

const faultTexts: Record<CsvFault, Message> = {
  no_header: m.price_csv_no_header,
  no_model: m.price_csv_no_model,
  amount: m.price_amount_wrong,
  channel: m.price_csv_channel,
  group: m.price_csv_group,
  from: m.price_from_wrong,
  more: m.price_csv_rest,
  no_price: m.price_csv_no_price,
  twice: m.price_csv_twice,
  lines: m.price_csv_lines,
  too_long: m.price_csv_too_long,
  free_side: m.price_csv_free_side,
  column_twice: m.price_csv_column_twice,
};
const errorsShown = 20;
/** 1,000 prices with all of their hours are smaller. */
const fileMaxBytes = 5_000_000;

/** What the server refused, by the line of the file instead of the place in the request. */
const refusalText = (error: unknown, { changes }: CsvReading): string => {
  const text = failureText(error);
  const [, index = '', problem = text] = /prices\.(\d+)\.(.*)/s.exec(text) ?? [];
  const line = index === '' ? undefined : changes[Number(index)]?.line;
  return line === undefined ? text : m.price_csv_refused({ line, problem });
};

/** Imports prices from a file: what it would change is shown before anything is stored. */
export const ImportSheet = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT();
  const { data, error, refetch } = useQuery(pricedModelsQuery(''));
  return (
    <Sheet onClose={onClose}>
      {data ? (
        <ImportForm facts={data} onClose={onClose} />
      ) : (
        <>
          <SheetHead title={t(m.price_import)} />
          <div className="p-5">
            {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={2} />}
          </div>
        </>
      )}
    </Sheet>
  );
};

/** The file that was opened, and what stores it. */
const useImport = (facts: PricedModels, onClose: () => void) => {
  const client = useQueryClient();
  const [reading, setReading] = useState<CsvReading>();
  const [isTooBig, setTooBig] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const isTooMuch = (reading?.changes.length ?? 0) > ownPricesMax;
  const isReady = reading !== undefined && reading.errors.length === 0 && reading.changes.length > 0 && !isTooMuch;
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setReading(undefined);
    setRefusal(undefined);
    setTooBig(file.size > fileMaxBytes);
    if (file.size > fileMaxBytes) return;
    setReading(readPrices(await file.text(), { facts, now: Math.floor(Date.now() / 1000) }));
  };
  const apply = async (): Promise<void> => {
    if (!isReady || busy) return;
    setBusy(true);
    try {
      const stored = await storePrices(
        client,
        reading.changes.map(({ price }) => price),
      );
      toast('success', m.price_many_saved({ count: reading.changes.length }));
      if (stored.overruled.length > 0) toast('warning', m.price_overruled({ model: stored.overruled.join(', ') }));
      onClose();
    } catch (error) {
      setRefusal(refusalText(error, reading));
    } finally {
      setBusy(false);
    }
  };
  return { reading, isTooBig, isTooMuch, isReady, refusal, busy, open, apply };
};

interface ImportFormProps {
  readonly facts: PricedModels;
  readonly onClose: () => void;
}

const ImportForm = ({ facts, onClose }: ImportFormProps) => {
  const t = useT();
  const { reading, isTooBig, isTooMuch, isReady, refusal, busy, open, apply } = useImport(facts, onClose);
  return (
    <FormFrame
      title={t(m.price_import)}
      onSubmit={() => void apply()}
      footer={
        <>
          <Button onClick={onClose}>{t(m.cancel)}</Button>
          <Button type="submit" sends look="primary" busy={busy} disabled={!isReady}>
            {t(m.price_import_apply)}
          </Button>
        </>
      }
    >
      <Field label={t(m.price_csv_file)} hint={t(m.price_csv_hint)}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            className="min-w-0 text-13 file:mr-3 file:h-8 file:rounded-control file:border file:border-control/60 file:bg-panel file:px-3 file:text-ink pointer-coarse:file:h-11"
            onChange={({ target }) => void open(target.files?.[0]).catch(toastFailure)}
          />
        )}
      </Field>
      {isTooBig && (
        <Notice tone="bad" alert>
          {t(m.price_csv_too_big)}
        </Notice>
      )}
      {reading && reading.errors.length > 0 && <Errors errors={reading.errors} />}
      {refusal !== undefined && (
        <Notice tone="bad" alert>
          {refusal}
        </Notice>
      )}
      {isTooMuch && <Notice tone="bad">{t(m.price_csv_too_many, { count: ownPricesMax })}</Notice>}
      {reading && reading.errors.length === 0 && <Changes reading={reading} facts={facts} />}
    </FormFrame>
  );
};

const Errors = ({ errors }: Pick<CsvReading, 'errors'>) => {
  const t = useT();
  return (
    <Notice tone="bad" alert>
      <ul>
        {errors.slice(0, errorsShown).map(({ line, column, fault }) => (
          <li key={`${line} ${column} ${fault}`}>
            {t(m.price_csv_error, { line, column, problem: t(faultTexts[fault]) })}
          </li>
        ))}
        {errors.length > errorsShown && <li>{t(m.price_csv_more_errors, { count: errors.length - errorsShown })}</li>}
      </ul>
    </Notice>
  );
};

const Changes = ({ reading, facts }: { readonly reading: CsvReading; readonly facts: PricedModels }) => {
  const t = useT();
  const { changes, same } = reading;
  const nameOf = (id: number): string => facts.channels.find((channel) => channel.id === id)?.name ?? String(id);
  return (
    <section aria-label={t(m.price_csv_changes)} className="flex flex-col gap-2">
      <p className="font-medium">{t(m.price_csv_summary, { count: changes.length, same })}</p>
      <ul className="text-13">
        {changes.map(({ line, price, before }) => (
          <li key={line} className="border-b border-line py-1.5 wrap-anywhere">
            <span className="font-mono">{price.model}</span>
            <span className="text-mute">
              {price.group !== '' && ` · ${price.group}`}
              {price.channel !== 0 && ` · ${nameOf(price.channel)}`}
              {price.from !== 0 && ` · ${new Date(price.from * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`}
            </span>
            <span className="block tabular-nums">
              <span className="text-mute">{before ? cardText(before, t) : t(m.price_none_before)} → </span>
              {cardText(price.card, t)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
