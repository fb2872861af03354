import * as v from 'valibot';
import { endpoint } from './endpoint.ts';

/** The latest release of this program, as its code host names it. */
export const releaseSchema = v.object({
  /** Empty: there is no release. */
  tag_name: v.string(),
  /** Release notes; markdown. */
  body: v.string(),
  /** The page of the release, or of all releases. */
  html_url: v.string(),
});
export type Release = v.InferOutput<typeof releaseSchema>;

export const getLatestRelease = endpoint({
  method: 'GET',
  path: '/api/release',
  access: 'admin',
  effect: false,
  summary: 'The latest release, fetched by the server.',
  data: releaseSchema,
});
