import type { HttpRequest } from '../../http/plain/exchange.ts';
import { RelayError } from './relay-error.ts';

/**
 * Refuses a request that a browser sends by opening an address or submitting a form: its answer would be shown as a page,
 * and a page of any origin can cause it. Programs and scripts of pages never send one.
 */
export const refuseNavigation = ({ headers }: HttpRequest): void => {
  if (headers['sec-fetch-mode'] === 'navigate') throw new RelayError('browser_navigation');
};

/** The types that a browser's form can send. */
const formTypes: ReadonlySet<string> = new Set([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]);

/** Refuses a JSON body that is declared as a form. */
export const refuseFormType = (contentType: string): void => {
  if (contentType === 'application/json') return;
  const [essence = ''] = contentType.toLowerCase().split(';', 1);
  const type = essence.trim();
  if (formTypes.has(type)) throw new RelayError('content_type', { type });
};
