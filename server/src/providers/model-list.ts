import { isObject, type Json, objectsAt, textAt } from '../conversation/json.ts';
import type { BaseUrl, ListPage, ModelPage, UpstreamRequest } from './provider.ts';

/** A request of a page of a list. */
export const listRequest = (base: BaseUrl, path: string, headers: readonly string[]): UpstreamRequest => ({
  origin: base.origin,
  path,
  method: 'GET',
  headers: ['accept', 'application/json', ...headers],
  body: Buffer.alloc(0),
});

/** The only page, or the last. */
export const lastPage = (names: readonly string[]): ModelPage => ({ names, next: '' });

/** The objects of a list in a member; null: the body has no such list. */
export const listedAt = (body: unknown, member: string): readonly Json[] | null =>
  isObject(body) && Array.isArray(body[member]) ? objectsAt(body, member) : null;

/** Path and query of a page that is named by a cursor. */
export const withCursor = (path: string, parameter: string, { cursor }: Pick<ListPage, 'cursor'>): string =>
  cursor === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${parameter}=${encodeURIComponent(cursor)}`;

/** The names in a member of all objects. */
export const namesIn = (objects: readonly Json[], member: string): readonly string[] =>
  objects.map((one) => textAt(one, member));
