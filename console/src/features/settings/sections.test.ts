import { options } from '@weir/contract/options';
import { expect, test } from 'vitest';
import { m } from '../../paraglide/messages.js';
import { sections } from './sections.ts';
import { controlOf, entryOf, optionKeys } from './setting.ts';

const locales = ['en', 'zh'] as const;

test('every option of the contract has one control in the form', () => {
  const shown = sections.flatMap(({ keys }) => keys);
  expect(shown.toSorted()).toEqual(Object.keys(options).toSorted());
});

test.each(locales)('every option and every section has texts in %s', (locale) => {
  const labels = optionKeys.map((key) => m.option_label({ key }, { locale }));
  // A text that is missing in one language shows as the message key.
  expect(labels.filter((label) => label === '' || label === 'option_label')).toEqual([]);
  const titles = sections.map(({ id }) => m.setting_section({ section: id }, { locale }));
  expect(titles.filter((title) => title === '' || title === 'setting_section')).toEqual([]);
  const unnamed = sections.filter(({ id, saves }) => saves && m.setting_save({ section: id }, { locale }) === '');
  expect(unnamed.map(({ id }) => id)).toEqual([]);
});

test('an option with a hint has it in both languages', () => {
  const hinted = (locale: (typeof locales)[number]) =>
    optionKeys.filter((key) => m.option_hint({ key }, { locale }) !== '');
  expect(hinted('zh')).toEqual(hinted('en'));
  expect(hinted('en')).toContain('RetryTimes');
});

test('the control of an option is derived from its entry', () => {
  const control = (key: (typeof optionKeys)[number]): string => controlOf(entryOf(key));
  expect(control('RegisterEnabled')).toBe('switch');
  expect(control('SMTPToken')).toBe('secret');
  expect(control('QuotaForNewUser')).toBe('quota');
  expect(control('RetryTimes')).toBe('number');
  expect(control('Theme')).toBe('theme');
  expect(control('About')).toBe('long-text');
  expect(control('EmailDomainWhitelist')).toBe('domains');
  expect(control('PartRatio')).toBe('ratios');
});
