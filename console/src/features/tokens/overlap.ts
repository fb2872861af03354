import type { Token } from '@weir/contract/tokens';

/** Until when the replaced key of a token works; undefined: none does. */
export const overlapEnd = ({ overlap_until: until = 0 }: Pick<Token, 'overlap_until'>): number | undefined =>
  until * 1000 > Date.now() ? until : undefined;

/** Whether a found key was replaced and works no longer. */
export const isReplaced = (validUntil: number): boolean => validUntil > 0 && validUntil * 1000 <= Date.now();
