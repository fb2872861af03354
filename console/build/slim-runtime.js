/**
 * What compiled messages need of their runtime. The generated one also reads addresses, cookies and headers, which
 * this console never asks it to; it would be 2.4 KB of every page.
 */
let current = () => 'en';

export const getLocale = () => current();

export const overwriteGetLocale = (get) => {
  current = get;
};

export const experimentalStaticLocale = undefined;
