import { Badge } from '../../../components/text/badge.tsx';
import type { Tone } from '../../../components/text/badge.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { Money } from '../../../components/text/money.tsx';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { vendorName } from '../../../lib/vendor-name.ts';
import { m } from '../../../paraglide/messages.js';
import { cardText } from '../editor/current-price.tsx';
import { partLabels } from '../part-labels.ts';
import { moreCharged, moreCost, nanosToQuota, otherMembers, rateChanges, shareText } from './book-rows.ts';
import type { BookRow, OtherMember, RateChange } from './book-rows.ts';

type BookColumn = Column<BookRow>;

const kinds: Readonly<Record<BookRow['kind'], readonly [Message, Tone]>> = {
  added: [m.book_added, 'olive'],
  changed: [m.book_changed, 'ok'],
  removed: [m.book_removed, 'bad'],
};

const memberLabels: Readonly<Record<OtherMember, Message>> = {
  tiers: m.book_member_tiers,
  classes: m.book_member_classes,
  units: m.book_member_units,
  hours: m.book_member_hours,
  volume: m.book_member_volume,
  ends: m.book_member_ends,
  facts: m.book_member_facts,
};

const Model = ({ row }: { readonly row: BookRow }) => {
  const language = useLanguage();
  return (
    <span className="inline-flex min-w-0 flex-col leading-tight">
      <span className="font-mono text-13 wrap-anywhere">{row.model}</span>
      <span className="text-12 text-mute">{vendorName(row.vendor, language)}</span>
    </span>
  );
};

/** What kind of difference it is, and why it changes nothing for callers. */
const Kind = ({ row }: { readonly row: BookRow }) => {
  const t = useT();
  const [text, tone] = kinds[row.kind];
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <Badge tone={tone}>{t(text)}</Badge>
      {row.kept !== '' && (
        <Badge tone="warn" tip={t(m.book_kept_tip)}>
          {t(row.kept === 'own' ? m.book_kept_own : m.book_kept_ratio)}
        </Badge>
      )}
      {row.effect?.refused === true && <Badge tone="bad">{t(m.book_refused)}</Badge>}
    </span>
  );
};

const labelOf = (name: string): Message | undefined => {
  if (name === 'input') return m.price_input;
  if (name === 'output') return m.price_output;
  return new Map<string, Message>(Object.entries(partLabels)).get(name);
};

const Rate = ({ change }: { readonly change: RateChange }) => {
  const t = useT();
  const { name, before, after, share } = change;
  const label = labelOf(name);
  return (
    <span className="whitespace-nowrap">
      <span className="text-mute">{label ? t(label) : name}</span>{' '}
      {before !== undefined && (
        <>
          <s className="text-mute decoration-1">${before}</s>{' '}
        </>
      )}
      {after === undefined ? '—' : `$${after}`}
      {share !== undefined && <span className={share > 0 ? 'text-bad' : 'text-ok'}> {shareText(share)}</span>}
    </span>
  );
};

const shownRates = 4;

/** Old and new dollars for a million tokens. */
const Rates = ({ row }: { readonly row: BookRow }) => {
  const t = useT();
  const changes = rateChanges(row);
  const others = otherMembers(row).map((member) =>
    member === 'ends' && row.ends !== '' ? t(m.book_ends, { day: row.ends }) : t(memberLabels[member]),
  );
  const rest = changes.length - shownRates;
  const alone = changes.length === 0 && others.length === 0 ? (row.after ?? row.before) : null;
  return (
    <span className="inline-flex flex-col gap-x-3 text-13 py-1 leading-snug tabular-nums max-md:flex-row max-md:flex-wrap">
      {changes.slice(0, shownRates).map((change) => (
        <Rate key={change.name} change={change} />
      ))}
      {rest > 0 && <span className="text-mute">{t(m.book_more_rates, { count: rest })}</span>}
      {alone && <span>{cardText(alone, t)}</span>}
      {others.length > 0 && <span className="text-mute">{others.join(', ')}</span>}
      {row.built_in && <span className="text-12 text-mute">{t(m.book_built_in)}</span>}
    </span>
  );
};

const Traffic = ({ row }: { readonly row: BookRow }) => {
  const t = useT();
  const language = useLanguage();
  if (row.effect === null) return <span className="text-mute">{row.offered ? t(m.book_offered) : '—'}</span>;
  const { calls, users, top } = row.effect;
  const names = top.map(({ name, id }) => name || `#${id}`).join(', ');
  return (
    <span className="inline-flex max-w-44 flex-col leading-tight tabular-nums [td_&]:items-end">
      <span>{calls.toLocaleString(language)}</span>
      <span className="text-12 text-mute">{t(m.book_users, { count: users })}</span>
      <span className="max-w-full truncate text-12 text-mute" data-tip={names}>
        {names}
      </span>
    </span>
  );
};

/** A signed amount of money. */
export const More = ({ quota }: { readonly quota: number }) => (
  <span className={quota > 0 ? 'text-bad' : quota < 0 ? 'text-ok' : 'text-mute'}>
    {quota > 0 && '+'}
    <Money quota={quota} />
  </span>
);

const Charge = ({ row }: { readonly row: BookRow }) => {
  const t = useT();
  if (row.effect === null) return <span className="text-mute">—</span>;
  const { charge_before: before, charge_after: after, charged } = row.effect;
  return (
    <span className="inline-flex flex-col leading-tight tabular-nums [td_&]:items-end">
      <More quota={moreCharged(row)} />
      <span className="text-12 whitespace-nowrap text-mute" data-tip={t(m.book_estimate_tip)}>
        <Money quota={before} /> → <Money quota={after} />
      </span>
      <span className="text-12 whitespace-nowrap text-mute">
        {t(m.book_charged)} <Money quota={charged} />
      </span>
    </span>
  );
};

const Cost = ({ row, perDollar }: { readonly row: BookRow; readonly perDollar: number }) => {
  const more = moreCost(row);
  const [before, after] = [row.effect?.cost_before ?? null, row.effect?.cost_after ?? null];
  const amount = (nanos: number | null) => (nanos === null ? '—' : <Money quota={nanosToQuota(nanos, perDollar)} />);
  if (row.effect === null) return <span className="text-mute">—</span>;
  return (
    <span className="inline-flex flex-col leading-tight tabular-nums [td_&]:items-end">
      {more === null ? <span className="text-mute">—</span> : <More quota={nanosToQuota(more, perDollar)} />}
      <span className="text-12 whitespace-nowrap text-mute">
        {amount(before)} → {amount(after)}
      </span>
    </span>
  );
};

const about: readonly BookColumn[] = [
  {
    id: 'model',
    title: m.price_model,
    fixed: true,
    card: 'title',
    className: 'max-w-72',
    render: (row) => <Model row={row} />,
    sortBy: (row) => row.model,
    text: (row) => row.model,
    raw: ['vendor', (row) => row.vendor],
  },
  {
    id: 'kind',
    title: m.book_kind,
    card: 'status',
    render: (row) => <Kind row={row} />,
    sortBy: (row) => row.kind,
    text: (row) => row.kind,
    raw: ['kept', (row) => row.kept],
  },
  {
    id: 'price',
    title: m.book_price,
    card: 'note',
    render: (row) => <Rates row={row} />,
    sortBy: (row) => rateChanges(row)[0]?.share ?? 0,
    text: (row) =>
      rateChanges(row)
        .map(({ name, before = '', after = '' }) => `${name} ${before} > ${after}`)
        .join('; '),
    raw: ['day', (row) => row.day],
  },
];

const use: readonly BookColumn[] = [
  {
    id: 'traffic',
    title: m.book_traffic,
    end: true,
    from: 1024,
    render: (row) => <Traffic row={row} />,
    sortBy: (row) => row.effect?.calls ?? (row.offered ? 0 : -1),
    text: (row) => row.effect?.calls ?? 0,
    raw: ['users', (row) => row.effect?.users ?? 0],
  },
  {
    id: 'charge',
    title: m.book_charge,
    end: true,
    card: 'value',
    render: (row) => <Charge row={row} />,
    sortBy: moreCharged,
    text: moreCharged,
    raw: ['charged', (row) => row.effect?.charged ?? 0],
  },
];

/** The columns of the differences; `perDollar`: quota units. */
export const bookColumns = (perDollar: number): readonly BookColumn[] => [
  ...about,
  ...use,
  {
    id: 'cost',
    title: m.book_cost,
    end: true,
    from: 1024,
    render: (row) => <Cost row={row} perDollar={perDollar} />,
    sortBy: (row) => moreCost(row) ?? 0,
    text: (row) => moreCost(row) ?? '',
  },
];
