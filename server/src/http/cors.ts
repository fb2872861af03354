import type { HttpRequest } from './plain/exchange.ts';

/**
 * Headers for a browser page of another origin (wire contract 1.6); empty for other clients. Names and values in turn.
 */
export const corsHeaders = ({ headers, method }: Pick<HttpRequest, 'headers' | 'method'>): readonly string[] => {
  const { origin, host } = headers;
  if (origin === undefined || origin === `http://${host}` || origin === `https://${host}`) return [];
  const allowed = ['access-control-allow-origin', '*', 'access-control-allow-credentials', 'true'];
  if (method !== 'OPTIONS') return allowed;
  return [
    ...allowed,
    'access-control-allow-methods',
    'GET,POST,PUT,DELETE,OPTIONS',
    'access-control-allow-headers',
    '*',
    'access-control-max-age',
    '43200',
  ];
};
