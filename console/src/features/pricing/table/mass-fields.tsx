import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { readExact } from '../../../lib/format/exact.ts';
import { focusOnMount } from '../../../lib/hooks/focus-on-mount.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { AmountField } from '../editor/amount-field.tsx';
import { blankDraft, readDraft } from '../editor/price-draft.ts';
import type { Problems, RateName } from '../editor/price-draft.ts';
import { readPercent } from './mass-change.ts';
import type { MassChange } from './mass-change.ts';

/** A change of several prices as it is typed. */
interface TypedMass {
  readonly kind: MassChange['kind'];
  readonly percent: string;
  readonly factor: string;
  readonly rates: Readonly<Partial<Record<RateName, string>>>;
}

export const startOfMass: TypedMass = { kind: 'percent', percent: '', factor: '1.2', rates: {} };

/** The change that was typed; undefined: something cannot be read. */
export const readMass = ({
  kind,
  percent,
  factor,
  rates,
}: TypedMass): { readonly change: MassChange | undefined; readonly problems: Problems } => {
  const single = (exact: ReturnType<typeof readExact>) =>
    exact && (kind === 'percent' || kind === 'factor')
      ? { change: { kind, factor: exact }, problems: new Set<string>() }
      : { change: undefined, problems: new Set([kind]) };
  switch (kind) {
    case 'free':
      return { change: { kind }, problems: new Set() };
    case 'percent':
      return single(readPercent(percent));
    case 'factor':
      return single(readExact(factor.trim().replace(',', '.')));
    case 'set': {
      const { card, problems } = readDraft({ ...blankDraft, rates });
      return { change: problems.size === 0 ? { kind, card } : undefined, problems };
    }
  }
};

interface MassFieldsProps {
  readonly typed: TypedMass;
  readonly problems: Problems;
  readonly onChange: (changes: Partial<TypedMass>) => void;
}

const setNames = ['input', 'output', 'cache_read', 'cache_write'] as const;

/** The fields of the chosen kind of change. */
export const MassFields = ({ typed, problems, onChange }: MassFieldsProps) => {
  const t = useT();
  const { kind, rates } = typed;
  if (kind === 'free') return null;
  if (kind === 'set')
    return (
      <>
        <div className="grid grid-cols-2 gap-4 max-phone:grid-cols-1">
          {setNames.map((name) => (
            <AmountField
              key={name}
              name={name}
              value={rates[name] ?? ''}
              wrong={problems.has(name)}
              first={name === 'input'}
              onChange={(text) => onChange({ rates: { ...rates, [name]: text } })}
            />
          ))}
        </div>
        <p className="text-12 text-mute">{t(m.price_bulk_set_hint)}</p>
      </>
    );
  const texts = {
    percent: [m.price_bulk_change, m.price_bulk_percent_hint, m.price_bulk_percent_wrong],
    factor: [m.price_bulk_times, m.price_bulk_hint, m.price_factor_wrong],
  } as const;
  const [label, hint, wrong] = texts[kind];
  return (
    <Field key={kind} label={t(label)} hint={t(hint)} error={problems.has(kind) ? t(wrong) : undefined}>
      {(control) => (
        <Input
          {...control}
          ref={focusOnMount}
          autoComplete="off"
          value={typed[kind]}
          onChange={({ target }) => onChange({ [kind]: target.value })}
          className="tabular-nums"
        />
      )}
    </Field>
  );
};
