import { bookBytesMax } from '@weir/contract/prices/book-updates';
import { AppError } from '../errors.ts';
import type { Outbound, OutboundAnswer } from './outbound.ts';

const timeoutMs = 30_000;
/** Hosts of a private network by their address: what they send is not changed on its way. */
const privateHost =
  /^http:\/\/(?:localhost|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[::1\]|\[f[cd][0-9a-f:]+\])(?::\d+)?(?:\/|$)/i;

const unreachable = (reason: string, cause?: unknown): AppError =>
  new AppError('price_book_unreachable', { reason }, cause);

const ask = async (outbound: Outbound, url: string): Promise<OutboundAnswer> => {
  try {
    return await outbound({ method: 'GET', url, answerMaxBytes: bookBytesMax, timeoutMs });
  } catch (error) {
    throw unreachable(error instanceof Error ? error.message : '', error);
  }
};

/** Fetches the text of a price book: over https, or in a private network. A text that is changed on its way sets the prices. */
export const downloadPriceBook = async (outbound: Outbound, url: string): Promise<string> => {
  if (!/^https:\/\//i.test(url) && !privateHost.test(url)) throw unreachable('not an https address');
  const { status, text } = await ask(outbound, url);
  if (status !== 200) throw unreachable(status >= 300 && status < 400 ? `redirect ${status}` : `status ${status}`);
  return text.replace(/^\uFEFF/, '');
};
