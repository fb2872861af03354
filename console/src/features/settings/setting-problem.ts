import type { OptionEntry, OptionKey } from '@weir/contract/options';
import { trimSlash } from '../../lib/format/format.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { amountError } from '../../lib/amount-error.ts';
import { m } from '../../paraglide/messages.js';
import { readRatios } from './parts/ratios.ts';
import { entryOf } from './setting.ts';

const brokenRatios: Partial<Record<OptionKey, Message>> = {
  ModelRatio: m.setting_model_ratio_invalid,
  CompletionRatio: m.setting_completion_ratio_invalid,
  GroupRatio: m.setting_group_ratio_invalid,
  PartRatio: m.setting_part_ratio_invalid,
  QueueGroupWeights: m.setting_queue_weights_invalid,
};

const numberProblem = (t: Translate, text: string, { kind, min = 0 }: OptionEntry): string | undefined => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const whole = kind === 'integer';
  if (value >= min && (whole ? Number.isSafeInteger(value) : Number.isFinite(value))) return undefined;
  return whole ? amountError(t, value, min) : t(m.setting_not_number, { min });
};

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The error text for an invalid value of an option; the server checks again. */
export const settingProblem = (t: Translate, key: OptionKey, text: string): string | undefined => {
  const entry = entryOf(key);
  switch (entry.kind) {
    case 'integer':
    case 'number':
      return numberProblem(t, text, entry);
    case 'url':
      return text.trim() === '' || isAddress(text) ? undefined : t(m.setting_not_address);
    case 'ratios':
      return readRatios(text) === undefined ? t(brokenRatios[key] ?? m.setting_model_ratio_invalid) : undefined;
    case 'boolean':
    case 'list':
    case 'text':
      return undefined;
  }
};

/** The text to save: addresses without trailing slashes. */
export const settledText = (key: OptionKey, text: string): string => {
  const entry = entryOf(key);
  if (entry.kind !== 'url') return text;
  return entry.exact === true ? text.trim() : trimSlash(text);
};
