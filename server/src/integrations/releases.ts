import type { Release } from '@weir/contract/releases';
import { AppError } from '../errors.ts';

const timeoutMs = 5000;
const bodyMaxBytes = 256 * 1024;

/** Reads a body up to a limit; throws beyond it. */
const readLimited = async (response: Response): Promise<string> => {
  if (response.body === null) return '';
  const body: AsyncIterable<Uint8Array> = response.body;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > bodyMaxBytes) throw new Error(`the answer is longer than ${bodyMaxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};

/** `tag_name`, `body` and `html_url` of a code host's release; what is missing or of another type is empty. */
const readRelease = (text: string): Release => {
  const release: unknown = JSON.parse(text);
  if (typeof release !== 'object' || release === null) throw new Error('the answer is no object');
  const textOf = (member: string): string => {
    const value: unknown = Reflect.get(release, member);
    return typeof value === 'string' ? value : '';
  };
  const page = textOf('html_url');
  return { tag_name: textOf('tag_name'), body: textOf('body'), html_url: /^https?:\/\//.test(page) ? page : '' };
};

/**
 * Asks the code host for the latest release of this program: one address that the operator chose, no redirects, 5 s,
 * 256 KiB. A project without a release answers 404.
 */
export const fetchLatestRelease = async (url: string | undefined): Promise<Release> => {
  if (url === undefined) throw new AppError('releases_unset');
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/vnd.github+json', 'user-agent': 'weir' },
    });
    const text = await readLimited(response);
    if (response.status === 404) return { tag_name: '', body: '', html_url: '' };
    if (!response.ok) throw new Error(`status ${response.status}`);
    return readRelease(text);
  } catch (error) {
    throw new AppError('releases_unreachable', {}, error);
  }
};
