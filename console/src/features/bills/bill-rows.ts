import type { BillFigures, BillReason, ComparedDay } from '@weir/contract/bills/bills';
import { vendorList, vendorOf } from '@weir/contract/catalogue/vendors';
import type { Language } from '../../lib/browser/locale.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** A row of the table: comparisons have no ids of their own. */
export type BillRow = ComparedDay & { readonly id: number };

export const toRows = (rows: readonly ComparedDay[]): readonly BillRow[] =>
  rows.map((row, index) => ({ ...row, id: index + 1 }));

const nanoPlaces = 9;

/** Nano-dollars as dollars, exactly, with at least two places. */
export const dollars = (nano: number | null): string => {
  if (nano === null) return '—';
  const digits = String(Math.abs(nano)).padStart(nanoPlaces + 1, '0');
  const places = digits.slice(-nanoPlaces).replace(/0+$/, '').padEnd(2, '0');
  const whole = digits.slice(0, -nanoPlaces).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${nano < 0 ? '−' : ''}$${whole}.${places}`;
};

export const countText = (count: number | null, language: Language): string =>
  count === null ? '—' : count.toLocaleString(language);

/** A figure of both sides as text. */
export const figureText = (name: keyof BillFigures, value: number | null, language: Language): string =>
  name === 'cost' ? dollars(value) : countText(value, language);

export const reasonLabels: Readonly<Record<BillReason, Message>> = {
  equal: m.bill_equal,
  close: m.bill_close,
  day_boundary: m.bill_day_boundary,
  unbilled_calls: m.bill_unbilled_calls,
  estimated: m.bill_estimated,
  not_comparable: m.bill_not_comparable,
  price: m.bill_price,
  only_theirs: m.bill_only_theirs,
  only_ours: m.bill_only_ours,
  unexplained: m.bill_unexplained,
};

/** The name of a vendor in a language. */
export const vendorName = (type: number, language: Language): string => {
  const vendor = vendorOf(type);
  if (vendor === undefined) return String(type);
  return language === 'zh' ? (vendor.zh ?? vendor.name) : vendor.name;
};

export const vendorChoices = (language: Language): readonly (readonly [string, string])[] =>
  vendorList.map(({ id }) => [String(id), vendorName(id, language)] as const);
