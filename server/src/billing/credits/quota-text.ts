import type { Language } from '../../errors.ts';
import type { Options } from '../../store/options.ts';

/**
 * An amount as log rows show it (wire contract 1.15). `quota`: quota units. With DisplayInCurrencyEnabled it is divided
 * by QuotaPerUnit and has six decimals behind a full-width dollar sign.
 */
export const quotaText = (quota: number, options: Pick<Options, 'get'>, language: Language): string => {
  if (!options.get('DisplayInCurrencyEnabled')) {
    return language === 'zh' ? `${quota} 点额度` : `${quota} points of quota`;
  }
  const amount = (quota / options.get('QuotaPerUnit')).toFixed(6);
  return language === 'zh' ? `＄${amount} 额度` : `$${amount} quota`;
};
