import { tabMemory } from '../browser/storage.ts';

const authPaths = ['/login', '/register', '/reset', '/user/reset'];
const under = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** Screens of the small auth entry: no router, no query cache. */
export const isAuthPath = (path: string): boolean =>
  authPaths.includes(path.replace(/(.)\/$/, '$1')) || under(path, '/oauth');

/** Where a normal login lands (specification §2). */
export const landing = '/token';

export const rememberPlace = (place: string): void => tabMemory.write('return', place);

/** A place to return to, if it is one of this console: nothing may send people elsewhere after sign-in. */
export const safePlace = (place: unknown): string | undefined =>
  typeof place === 'string' && /^\/(?![/\\])/.test(place) && !isAuthPath(place.split('?')[0] ?? '') ? place : undefined;

/** The remembered place, once. */
export const takePlace = (): string | undefined => safePlace(tabMemory.take('return'));

/** Leaves for the sign-in screen and remembers where the visitor was. */
export const goToLogin = (search: '' | '?expired=true'): void => {
  rememberPlace(location.pathname + location.search);
  location.assign(`/login${search}`);
};
