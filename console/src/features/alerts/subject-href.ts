import type { AlertSubject } from '@weir/contract/alerts/alerts';
import { stringifySearch } from '../../lib/lists/search-params.ts';

const ofNumber: Readonly<Record<string, (id: string) => string>> = {
  user: (id) => `/user/edit/${id}`,
  channel: (id) => `/channel/${id}`,
  budget: (id) => `/budget/edit/${id}`,
};

/** The page where the cause of a subject can be looked up or changed; undefined: there is none. */
export const subjectHref = ({ key }: Pick<AlertSubject, 'key'>): string | undefined => {
  const [, kind = '', name = ''] = /^(\w+) ?(.*)$/s.exec(key) ?? [];
  if (kind === 'model') return `/pricing${stringifySearch({ price: name })}`;
  if (kind === 'spend') return `/margin${stringifySearch({ by: 'user', range: '24h' })}`;
  return /^\d+$/.test(name) ? ofNumber[kind]?.(name) : undefined;
};
