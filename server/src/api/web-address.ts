/**
 * An http or https address without the slashes at its end; empty stays empty. Undefined: not a web address, one with a
 * blank in it, or one with a user name or password, which would end up in logs.
 */
export const readWebAddress = (text: string): string | undefined => {
  let address = text.trim();
  while (address.endsWith('/')) address = address.slice(0, -1);
  if (address === '') return '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = !/\s/.test(address) && url?.username === '' && url.password === '' && /^https?:$/.test(url.protocol);
  return isPlain ? address : undefined;
};
