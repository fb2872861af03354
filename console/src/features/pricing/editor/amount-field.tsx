import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { changeText, dollarText, readDollars, readExact } from '../../../lib/format/exact.ts';
import { focusOnMount } from '../../../lib/hooks/focus-on-mount.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message, Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { partLabels } from '../part-labels.ts';
import type { RateName, UnitName } from './price-draft.ts';

export const amountLabels: Record<RateName | UnitName, Message> = {
  input: m.price_input,
  output: m.price_output,
  ...partLabels,
  image: m.price_unit_image,
  second: m.price_unit_second,
  character: m.price_unit_character,
  search: m.price_unit_search,
};

/** `list $1.25 · +20%`, beside what is typed. */
const besideList = (value: string, list: string | undefined, t: Translate): string | undefined => {
  const listed = readExact(list ?? '');
  if (listed === undefined) return undefined;
  const own = readExact(readDollars(value) ?? '');
  const change = own && changeText(own, listed);
  const text = t(m.price_list_amount, { amount: dollarText(listed) });
  return change === undefined ? text : `${text} · ${change}`;
};

interface AmountFieldProps {
  readonly name: RateName | UnitName;
  readonly value: string;
  /** The list price; undefined: the list has none. */
  readonly list?: string | undefined;
  readonly wrong: boolean;
  /** Takes the focus when it is shown, its text selected. */
  readonly first?: boolean;
  readonly onChange: (text: string) => void;
}

/** An amount of dollars, with the list price under it. */
export const AmountField = ({ name, value, list, wrong, first = false, onChange }: AmountFieldProps) => {
  const t = useT();
  return (
    <Field
      label={t(amountLabels[name])}
      hint={besideList(value, list, t)}
      error={wrong ? t(readDollars(value) === undefined ? m.price_amount_wrong : m.price_free_side) : undefined}
    >
      {(control) => (
        <span className="relative block">
          <span aria-hidden="true" className="absolute inset-y-0 left-2.5 flex items-center text-mute">
            $
          </span>
          <Input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            value={value}
            ref={first ? focusOnMount : undefined}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => onChange(target.value)}
            className="pl-6 tabular-nums"
          />
        </span>
      )}
    </Field>
  );
};
