import { vendorList, vendorOf } from '@weir/contract/catalogue/vendors';
import type { Choice, ChoiceGroup } from '../../../components/form/suggestion-list.tsx';
import type { Language } from '../../../lib/browser/locale.ts';
import { typeName } from '../../../lib/type-name.ts';

/** The types for the picker, in the order of the catalogue; a type of another release comes first. */
export const typeChoices = (
  language: Language,
  current: number,
): { readonly groups: ChoiceGroup[]; readonly chosen: Choice } => {
  const choice = (id: number): Choice => ({
    value: String(id),
    label: typeName(id, language),
    also: typeName(id, 'en'),
  });
  const known = vendorList.map(({ id }) => choice(id));
  const chosen = choice(current);
  return { groups: [{ value: '', items: vendorOf(current) ? known : [chosen, ...known] }], chosen };
};
