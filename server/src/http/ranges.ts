import { BlockList, isIP } from 'node:net';

/** Whether a text is an address or a CIDR range. */
export const isRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};

/** Builds a matcher for CIDR ranges; a bare address is a range of one. Texts that are no range are left out. */
export const rangesOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.trim().split('/');
    const family = isIP(address);
    if (family === 0) continue;
    const most = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : Number(bits);
    if (Number.isInteger(prefix) && prefix >= 0 && prefix <= most)
      list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
};

/** An address in its plain form: without a zone, and an IPv4 address written inside an IPv6 one as what it is. */
export const plainAddress = (text: string): string => {
  const address = text.replace(/%.*$/, '');
  const inner = /^::ffff:(.+)$/i.exec(address)?.[1] ?? '';
  if (isIP(inner) === 4) return inner;
  const words = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(inner);
  if (words === null) return address;
  const value = Number.parseInt(words[1] ?? '', 16) * 65_536 + Number.parseInt(words[2] ?? '', 16);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
};

/** Whether any range of the list holds the address. What is no address is in none. */
export const isWithin = (list: BlockList, text: string): boolean => {
  const address = plainAddress(text);
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
};
