const isIpv4 = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) &&
  text.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part);

const isIpv6 = (text: string): boolean => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`);

/** A network as the server stores it; a single address is a network of one. Undefined: it is none. */
const readSubnet = (text: string): string | undefined => {
  const [address = '', bits, ...rest] = text.split('/');
  const longest = isIpv4(address) ? 32 : 128;
  if (rest.length > 0 || (longest === 128 && !isIpv6(address))) return undefined;
  if (bits === undefined) return `${address}/${longest}`;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= longest ? text : undefined;
};

const partsOf = (text: string): string[] => text.split(/[\s,，;]+/).filter(Boolean);

/** The part of a list that is neither an address nor a network; undefined: there is none. */
export const wrongSubnet = (text: string): string | undefined =>
  partsOf(text).find((part) => readSubnet(part) === undefined);

/** The networks of a list, each once; undefined: a part of it is none. */
export const readSubnets = (text: string): readonly string[] | undefined => {
  const found = new Set<string>();
  for (const part of partsOf(text)) {
    const subnet = readSubnet(part);
    if (subnet === undefined) return undefined;
    found.add(subnet);
  }
  return [...found];
};
