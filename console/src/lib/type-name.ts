import { vendorOf } from '@weir/contract/catalogue/vendors';
import type { Language } from './browser/locale.ts';

/** The name of a channel type; a type of another release is its number. */
export const typeName = (type: number, language: Language): string => {
  const vendor = vendorOf(type);
  if (vendor === undefined) return String(type);
  return (language === 'zh' && vendor.zh) || vendor.name;
};
