import type { Source } from './conversation.ts';

const head = /^data:([^;,]*)(?:;[^;,]+)*;base64,/i;

/** Content by address, or by value where the address is a data URL. */
export const sourceOf = (url: string): Source => {
  const match = head.exec(url.slice(0, 256));
  if (match === null) return { kind: 'url', url };
  return { kind: 'data', mime: (match[1] ?? '').toLowerCase(), base64: url.slice(match[0].length) };
};

/** The address, or a data URL. */
export const urlOf = (source: Source): string =>
  source.kind === 'url' ? source.url : `data:${source.mime};base64,${source.base64}`;
