import { tabMemory } from '../browser/storage.ts';

const authPaths = ['/login', '/register', '/reset', '/user/reset'];
const under = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** Screens of the small auth entry: no router, no query cache. */
export const isAuthPath = (path: string): boolean =>
  authPaths.includes(path.replace(/(.)\/$/, '$1')) || under(path, '/oauth');

/** Landing page of a normal sign-in (specification §2). */
export const landing = '/token';

export const rememberReturnPath = (path: string): void => tabMemory.write('return', path);

/** An address to return to, if it is one of this console: no link may redirect elsewhere after sign-in. */
export const safeReturnPath = (path: unknown): string | undefined =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) && !isAuthPath(path.split('?')[0] ?? '') ? path : undefined;

/** The remembered address, once. */
export const takeReturnPath = (): string | undefined => safeReturnPath(tabMemory.take('return'));

/** Opens the sign-in screen and remembers the current address. */
export const goToLogin = (search: '' | '?expired=true'): void => {
  rememberReturnPath(location.pathname + location.search);
  location.assign(`/login${search}`);
};
