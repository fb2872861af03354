import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { Input } from '../../../components/form/input.tsx';
import { Sheet } from '../../../components/overlay/sheet.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { filterLabels } from './filter-text.ts';
import type { LogFilters } from './log-filters.ts';
import { isChannel, readTextFilter } from './text-filters.ts';
import type { FilterChange, TextFilter } from './text-filters.ts';
import { TypeSelect } from './type-select.tsx';

interface FiltersSheetProps {
  readonly filters: LogFilters;
  readonly names: readonly TextFilter[];
  readonly onApply: (change: FilterChange & { readonly type: number | undefined }) => void;
  readonly onClose: () => void;
}

/** The filters on a phone: edited together, applied together. */
export const FiltersSheet = ({ filters, names, onApply, onClose }: FiltersSheetProps) => {
  const t = useT();
  const [type, setType] = useState(filters.type);
  const [texts, setTexts] = useState(() => names.map((name) => [name, String(filters[name] ?? '')] as const));
  const [checked, setChecked] = useState(false);
  const isWrong = (name: TextFilter, text: string): boolean =>
    name === 'channel' && text.trim() !== '' && !isChannel(text);
  const count = texts.filter(([, text]) => text.trim() !== '').length + (type === undefined ? 0 : 1);
  const apply = (): void => {
    setChecked(true);
    if (texts.some(([name, text]) => isWrong(name, text))) return;
    const typed = texts.reduce<FilterChange>(
      (change, [name, text]) => ({ ...change, ...readTextFilter(name, text) }),
      {},
    );
    onApply({ type, ...typed });
    onClose();
  };
  const clear = (): void => {
    setType(undefined);
    setTexts(names.map((name) => [name, ''] as const));
  };
  const footer = (
    <>
      <Button onClick={clear}>{t(m.clear_filters)}</Button>
      <Button type="submit" look="primary">
        {count > 0 ? t(m.log_apply_count, { count }) : t(m.log_apply)}
      </Button>
    </>
  );
  return (
    <Sheet onClose={onClose}>
      <FormFrame title={t(m.log_filters)} footer={footer} onSubmit={apply}>
        <Field label={t(m.log_type)}>
          {({ id }) => <TypeSelect id={id} type={type} admin={names.includes('channel')} onPick={setType} />}
        </Field>
        {texts.map(([name, text]) => (
          <Field
            key={name}
            label={t(filterLabels[name])}
            error={checked && isWrong(name, text) ? t(m.log_filter_channel_error) : undefined}
          >
            {(control) => (
              <Input
                {...control}
                inputMode={name === 'channel' ? 'numeric' : 'text'}
                autoComplete="off"
                value={text}
                onChange={({ target }) =>
                  setTexts(texts.map((each) => (each[0] === name ? [name, target.value] : each)))
                }
              />
            )}
          </Field>
        ))}
      </FormFrame>
    </Sheet>
  );
};
