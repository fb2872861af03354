import type { Vendor } from '@weir/contract/catalogue/vendor';
import { vendors } from '@weir/contract/catalogue/vendors';
import type { Language } from './browser/locale.ts';

const byName: ReadonlyMap<string, Vendor> = new Map(Object.entries(vendors));

/** The name of a vendor of the price book; one that the catalogue does not have keeps its name there. */
export const vendorName = (name: string, language: Language): string => {
  const vendor = byName.get(name);
  return (language === 'zh' && vendor?.zh) || (vendor?.name ?? name);
};
