import { vendorOf } from '@weir/contract/catalogue/vendors';

/** Types that have neither an address of their own nor one in their key. */
export const needsAddress = (type: number): boolean => {
  const vendor = vendorOf(type);
  return vendor?.baseUrl === '' && 'address' in vendor;
};
