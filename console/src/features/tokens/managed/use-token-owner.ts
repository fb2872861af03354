import { useMemo } from 'react';
import { useShownPath } from '../../../lib/router/navigate.ts';
import type { TokenOwner } from './managed-queries.ts';

/** The owner that the shown address names. The route of a list with sheets over it has no parameters. */
export const useTokenOwner = (): TokenOwner => {
  const [, kind, id] = /^\/(user|team)\/tokens\/(\d+)/.exec(useShownPath()) ?? [];
  return useMemo(() => ({ kind: kind === 'team' ? 'team' : 'user', id: Number(id) }), [kind, id]);
};
