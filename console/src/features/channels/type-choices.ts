import { channelTypes } from '@weir/contract/catalogue/channel-types';
import type { ChannelTypeId } from '@weir/contract/catalogue/channel-types';
import type { Choice, ChoiceGroup } from '../../components/form/combobox.tsx';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

const groups: readonly (readonly [title: Message, types: readonly ChannelTypeId[]])[] = [
  [m.channel_group_popular, [1, 14, 3, 24, 20]],
  [m.channel_group_international, [33, 42, 11, 28, 29, 35, 37, 38, 39, 41, 45, 46, 51]],
  [m.channel_group_china, [15, 17, 18, 16, 19, 25, 23, 26, 27, 31, 32, 36, 40, 44, 47, 48, 49]],
  [m.channel_group_own, [30, 8, 50, 22, 21, 43]],
  [m.channel_group_proxies, [2, 5, 7, 10, 4, 6, 9, 12, 13]],
];

const grouped: ReadonlySet<ChannelTypeId> = new Set(groups.flatMap(([, types]) => types));
/** A type that no group names stands behind the international ones. */
const others = channelTypes.map(({ key }) => key).filter((type) => !grouped.has(type));
const typesOf = ([title, types]: (typeof groups)[number]): readonly ChannelTypeId[] =>
  title === m.channel_group_international ? [...types, ...others] : types;

const choice = (type: number): Choice => ({
  value: String(type),
  label: channelTypes.find(({ key }) => key === type)?.text ?? String(type),
});

/** The catalogue as the picker shows it; a type of another release stands alone at the top. */
export const typeChoices = (
  t: Translate,
  current: number,
): { readonly groups: ChoiceGroup[]; readonly chosen: Choice } => {
  const known = groups.map((group) => ({ value: t(group[0]), items: typesOf(group).map(choice) }));
  const isKnown = channelTypes.some(({ key }) => key === current);
  const chosen = choice(current);
  return { groups: isKnown ? known : [{ value: t(m.channel_type), items: [chosen] }, ...known], chosen };
};
