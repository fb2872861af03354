import { trimSlash } from '../../../lib/format/format.ts';

/** The values of a client link. */
export interface ClientLink {
  /** With `sk-` in front. */
  readonly key: string;
  /** Address of the gateway. */
  readonly address: string;
  /** The stored chat link; empty: the public instance. */
  readonly chatLink: string;
}

const publicChat = 'https://app.nextchat.dev';

/** A web chat app that reads its settings from the address (wire contract §8); the JSON is percent-encoded. */
export const nextChatLink = ({ key, address, chatLink }: ClientLink): string => {
  const settings = encodeURIComponent(JSON.stringify({ key, url: address }));
  return `${trimSlash(chatLink) || publicChat}/#/?settings=${settings}`;
};

export const amaLink = ({ key, address }: ClientLink): string =>
  `ama://set-api-key?server=${encodeURIComponent(address)}&key=${key}`;

export const openCatLink = ({ key, address }: ClientLink): string =>
  `opencat://team/join?domain=${encodeURIComponent(address)}&token=${key}`;
