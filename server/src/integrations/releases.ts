import type { Release } from '@weir/contract/releases';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import type { Outbound, OutboundAnswer } from './outbound.ts';
import { readJson } from './read-json.ts';

const anyText = v.fallback(v.string(), '');
const webAddress = v.fallback(v.pipe(v.string(), v.regex(/^https?:\/\//)), '');
const releaseSchema = v.object({ tag_name: anyText, body: anyText, html_url: webAddress });

/** The page of all releases, at a code host whose API is like GitHub's; the address itself elsewhere. */
const pageOf = (url: string): string =>
  url.replace(
    /^(https?:\/\/)(?:api\.)?([^/]+)(?:\/api\/v\d+)?\/repos\/([^/]+\/[^/]+)\/releases\b.*$/,
    '$1$2/$3/releases',
  );

const none: Release = { tag_name: '', body: '', html_url: '' };

const ask = async (outbound: Outbound, url: string): Promise<OutboundAnswer> => {
  try {
    return await outbound({ method: 'GET', url, headers: { accept: 'application/vnd.github+json' } });
  } catch (error) {
    throw new AppError('releases_unreachable', {}, error);
  }
};

/**
 * Reads the latest release of this program from the code host, at the one address that the operator configured. A
 * project without a release answers 404; members that are missing or of another type are empty. A release that names
 * no page of its own links to that of all releases.
 */
export const fetchLatestRelease = async (outbound: Outbound, url: string | undefined): Promise<Release> => {
  if (url === undefined) throw new AppError('releases_unset');
  const { status, text } = await ask(outbound, url);
  if (status === 404) return none;
  const release = status === 200 ? readJson(releaseSchema, text) : undefined;
  if (release === undefined) throw new AppError('releases_unreachable', {}, new Error(`status ${status}`));
  return release.tag_name === '' || release.html_url !== '' ? release : { ...release, html_url: pageOf(url) };
};
