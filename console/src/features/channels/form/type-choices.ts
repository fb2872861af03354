import type { Vendor, VendorGroup } from '@weir/contract/catalogue/vendor';
import { vendorList, vendorOf } from '@weir/contract/catalogue/vendors';
import type { Choice, ChoiceGroup } from '../../../components/form/suggestion-list.tsx';
import type { Message, Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

const groupTitles: Readonly<Record<VendorGroup, Message>> = {
  popular: m.channel_group_popular,
  international: m.channel_group_international,
  china: m.channel_group_china,
  own: m.channel_group_own,
  proxies: m.channel_group_proxies,
};

const rank = { first: 0, last: 2 } as const;
const rankOf = ({ position }: Vendor): number => (position === undefined ? 1 : rank[position]);
const inGroups = vendorList.toSorted((a, b) => rankOf(a) - rankOf(b));

const choice = ({ id, name }: Pick<Vendor, 'id' | 'name'>): Choice => ({ value: String(id), label: name });

/** The vendors for the picker; a type of another release is a separate entry at the top. */
export const typeChoices = (
  t: Translate,
  current: number,
): { readonly groups: ChoiceGroup[]; readonly chosen: Choice } => {
  const known = Object.entries(groupTitles).map(([name, title]) => ({
    value: t(title),
    items: inGroups.filter(({ group }) => group === name).map(choice),
  }));
  const vendor = vendorOf(current);
  const chosen = choice(vendor ?? { id: current, name: String(current) });
  return { groups: vendor ? known : [{ value: t(m.channel_type), items: [chosen] }, ...known], chosen };
};
