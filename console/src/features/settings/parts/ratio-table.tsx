import type { OptionKey } from '@weir/contract/options';
import { useState } from 'react';
import type { ClipboardEvent } from 'react';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Input } from '../../../components/form/input.tsx';
import { focusOnMount } from '../../../lib/hooks/focus-on-mount.ts';
import { onEnter } from '../../../lib/hooks/on-enter.ts';
import { useQuotaDisplay } from '../../../lib/api/status.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { pastedRatios, ratiosText } from './ratios.ts';
import type { Ratios } from './ratios.ts';
import { useSettings } from '../settings-context.ts';

interface RatioTableProps {
  readonly name: OptionKey;
  readonly label: string;
  readonly ratios: Ratios;
  readonly stored: Ratios;
  /** The model name from the address: shown if the table has it, else prefilled as a new row. */
  readonly preset: string | undefined;
  readonly onChange: (text: string) => void;
}

/** Rows shown before “Show more”: tables have hundreds. */
const shownStep = 50;
const million = 1_000_000;

const without = (ratios: Ratios, name: string): Ratios =>
  Object.fromEntries(Object.entries(ratios).filter(([each]) => each !== name));

const rowsNamed = (ratios: Ratios, search: string) => {
  const query = search.trim().toLowerCase();
  return Object.entries(ratios).filter(([name]) => name.toLowerCase().includes(query));
};

/** Ratios as rows: search, edit, remove, add, paste from a spreadsheet. */
export const RatioTable = ({ name: option, label, ratios, stored, preset, onChange }: RatioTableProps) => {
  const t = useT();
  const { readOnly } = useSettings();
  const [missing] = useState(preset !== undefined && !Object.hasOwn(ratios, preset));
  const [search, setSearch] = useState(missing ? '' : (preset ?? ''));
  const [shown, setShown] = useState(shownStep);
  const rows = rowsNamed(ratios, search);
  const change = (changes: Ratios): void => onChange(ratiosText({ ...ratios, ...changes }));
  const priced = option === 'ModelRatio';
  return (
    <div className="flex flex-col gap-2">
      <Input
        type="search"
        ref={preset === undefined || missing ? undefined : focusOnMount}
        aria-label={t(m.setting_ratios_search, { name: label })}
        placeholder={t(m.setting_ratios_search, { name: label })}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setShown(shownStep);
        }}
        onKeyDown={onEnter(() => undefined)}
      />
      <div
        className="max-h-100 overflow-auto rounded-control border border-line"
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <table className="w-full">
          <caption className="sr-only">{label}</caption>
          <TableHead priced={priced} />
          <tbody>
            {rows.slice(0, shown).map(([name, ratio]) => (
              <RatioRow
                key={name}
                name={name}
                ratio={ratio}
                changed={stored[name] !== ratio}
                priced={priced}
                readOnly={readOnly}
                onRatio={(next) => change({ [name]: next })}
                onRemove={() => onChange(ratiosText(without(ratios, name)))}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap items-center gap-2 text-13 text-mute">
        {t(m.setting_ratios_count, { shown: Math.min(shown, rows.length), count: rows.length })}
        {rows.length > shown && (
          <Button size="h-7 px-2.5 text-13 pointer-coarse:h-10" onClick={() => setShown(shown + shownStep)}>
            {t(m.setting_ratios_more)}
          </Button>
        )}
      </div>
      {!readOnly && <AddRow label={label} preset={missing ? preset : undefined} priced={priced} onAdd={change} />}
    </div>
  );
};

const TableHead = ({ priced }: { readonly priced: boolean }) => {
  const t = useT();
  return (
    <thead className="sticky top-0 z-1 bg-raised text-left text-12 text-mute">
      <tr>
        <th scope="col" className="px-3 py-1.5 font-medium">
          {t(m.setting_ratios_name)}
        </th>
        <th scope="col" className="w-32 px-3 py-1.5 text-right font-medium">
          {t(m.setting_ratios_ratio)}
        </th>
        {priced && (
          <th scope="col" className="w-36 px-3 py-1.5 text-right font-medium max-md:hidden">
            {t(m.setting_ratios_price)}
          </th>
        )}
        <th scope="col" className="w-12">
          <span className="sr-only">{t(m.actions)}</span>
        </th>
      </tr>
    </thead>
  );
};

interface RatioRowProps {
  readonly name: string;
  readonly ratio: number;
  readonly changed: boolean;
  readonly priced: boolean;
  readonly readOnly: boolean;
  readonly onRatio: (ratio: number) => void;
  readonly onRemove: () => void;
}

const RatioRow = ({ name, ratio, changed, priced, readOnly, onRatio, onRemove }: RatioRowProps) => {
  const t = useT();
  const [typed, setTyped] = useState<string>();
  const price = usePrice(ratio);
  const type = (text: string): void => {
    setTyped(text);
    const next = Number(text);
    if (text.trim() !== '' && Number.isFinite(next)) onRatio(next);
  };
  return (
    <tr className="border-t border-line">
      <th scope="row" className="max-w-0 truncate px-3 py-1 text-left font-mono text-13 font-normal">
        {name}
        {changed && <span className="ml-2 font-sans text-12 text-warn">{t(m.setting_ratios_edited)}</span>}
      </th>
      <td className="px-3 py-1 text-right">
        <Input
          type="number"
          step="any"
          aria-label={t(m.setting_ratios_of, { name })}
          value={typed ?? ratio}
          readOnly={readOnly}
          className="text-right tabular-nums"
          onChange={(event) => type(event.target.value)}
          onBlur={() => setTyped(undefined)}
        />
      </td>
      {priced && <td className="px-3 py-1 text-right text-13 text-mute tabular-nums max-md:hidden">{price}</td>}
      <td className="pr-2 text-right">
        {!readOnly && <IconButton icon="trash" label={t(m.remove_named, { name })} onClick={onRemove} />}
      </td>
    </tr>
  );
};

/** The price of a million prompt tokens at a ratio. */
const usePrice = (ratio: number): string => {
  const { perUnit } = useQuotaDisplay();
  return `$${Number(((ratio * million) / perUnit).toPrecision(6))}`;
};

interface AddRowProps {
  readonly label: string;
  readonly preset: string | undefined;
  readonly priced: boolean;
  readonly onAdd: (ratios: Ratios) => void;
}

const AddRow = ({ label, preset, priced, onAdd }: AddRowProps) => {
  const t = useT();
  const [name, setName] = useState(preset ?? '');
  const [ratio, setRatio] = useState('');
  const price = usePrice(Number(ratio));
  const ready = name.trim() !== '' && ratio.trim() !== '' && Number.isFinite(Number(ratio));
  const add = (): void => {
    if (!ready) return;
    onAdd({ [name.trim()]: Number(ratio) });
    setName('');
    setRatio('');
  };
  const onKeyDown = onEnter(add);
  const onPaste = (event: ClipboardEvent): void => {
    const rows = pastedRatios(event.clipboardData.getData('text'));
    if (Object.keys(rows).length === 0) return;
    event.preventDefault();
    onAdd(rows);
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Input
        aria-label={t(m.setting_ratios_new_name, { name: label })}
        placeholder={t(m.setting_ratios_paste)}
        value={name}
        autoComplete="off"
        spellCheck={false}
        className="min-w-40 flex-1 font-mono text-13"
        onChange={(event) => setName(event.target.value)}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
      />
      <Input
        type="number"
        step="any"
        aria-label={t(m.setting_ratios_new_ratio, { name: label })}
        ref={preset === undefined ? undefined : focusOnMount}
        value={ratio}
        className="max-w-28 text-right tabular-nums"
        onChange={(event) => setRatio(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button icon="plus" onClick={add} disabled={!ready}>
        {t(m.setting_add)}
      </Button>
      {priced && (
        <span role="status" className="w-full text-right text-13 text-mute tabular-nums empty:hidden">
          {ready && t(m.setting_ratios_costs, { price })}
        </span>
      )}
    </div>
  );
};
