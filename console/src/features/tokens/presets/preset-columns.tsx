import type { KeyPreset } from '@weir/contract/invitations/key-presets';
import { idColumn, textColumn } from '../../../components/table/common-columns.tsx';
import type { Column } from '../../../components/table/data-table-types.ts';
import { Money } from '../../../components/text/money.tsx';
import { quotaText } from '../../../lib/api/status.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

const Quota = ({ remain_quota: quota, unlimited_quota: unlimited }: KeyPreset) => {
  const t = useT();
  return unlimited ? t(m.token_unlimited) : <Money quota={quota} />;
};

const daysText = ({ days }: KeyPreset): string => (days === 0 ? m.token_never() : m.preset_days({ days }));

const Days = ({ preset }: { readonly preset: KeyPreset }) => {
  useT();
  return daysText(preset);
};

export const presetColumns: readonly Column<KeyPreset>[] = [
  idColumn({ spare: true }),
  textColumn({
    id: 'name',
    title: m.token_name,
    fixed: true,
    card: 'title',
    className: 'max-w-64',
    strong: true,
    textOf: ({ name }) => name,
  }),
  {
    id: 'quota',
    title: m.token_quota,
    end: true,
    card: 'value',
    render: (preset) => <Quota {...preset} />,
    sortBy: ({ remain_quota: quota, unlimited_quota: unlimited }) => (unlimited ? Number.MAX_SAFE_INTEGER : quota),
    text: ({ remain_quota: quota, unlimited_quota: unlimited }) => (unlimited ? m.token_unlimited() : quotaText(quota)),
  },
  {
    id: 'days',
    title: m.token_expiry,
    card: 'value',
    render: (preset) => <Days preset={preset} />,
    sortBy: ({ days }) => days,
    text: daysText,
  },
  textColumn({ id: 'models', title: m.token_models, from: 1024, textOf: ({ models }) => models }),
  textColumn({ id: 'subnet', title: m.token_subnet, from: 1024, textOf: ({ subnet }) => subnet }),
];
