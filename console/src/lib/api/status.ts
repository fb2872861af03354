import { getStatus } from '@weir/contract/status';
import type { Status } from '@weir/contract/status';
import { m } from '../../paraglide/messages.js';
import { call } from './call.ts';
import { formatQuota, type QuotaDisplay } from '../format/format.ts';
import { isRecord } from '../is-record.ts';
import { readJson, readText, writeText } from '../browser/storage.ts';
import { createStore, useStore } from '../store.ts';
import { setServerTheme } from '../browser/theme.ts';
import { toast } from '../toasts.ts';

/** Members may be missing on other servers of the contract, and before the first answer. */
export type KnownStatus = Partial<Status>;

// oxlint-disable-next-line typescript/consistent-type-assertions -- stored by this console from an answer of the contract
const fromStorage = (status: Record<string, unknown>): KnownStatus => status as KnownStatus;

const stored = readJson('status');
/** No status of the gateway is stored. */
export const isFirstVisit = !isRecord(stored);
const store = createStore(isRecord(stored) ? fromStorage(stored) : {});

export const currentStatus = store.get;
export const useStatus = (): KnownStatus => useStore(store);

const known = createStore(false);
/** Whether a status request has ended since this page loaded; until then the status is that of an earlier visit. */
export const useStatusKnown = (): boolean => useStore(known);
/** Settles at the end of that request. */
export const statusKnown = Promise.withResolvers<void>();

export const defaultName = 'Weir';
export const defaultLogo = '/logo.svg';

const defaultPerUnit = 500_000;
export const quotaDisplay = ({ quota_per_unit, display_in_currency }: KnownStatus): QuotaDisplay => ({
  perUnit: quota_per_unit || defaultPerUnit,
  inCurrency: display_in_currency ?? true,
});
export const useQuotaDisplay = (): QuotaDisplay => quotaDisplay(useStatus());
/** An amount of quota as it is displayed now, outside of components. */
export const quotaText = (quota: number): string => formatQuota(quota, quotaDisplay(currentStatus()));

/** Weir's `build`, if reported: other consoles need `version` constant (ruling 7). */
const buildOf = (status: KnownStatus): string | undefined => status.build ?? status.version;

const keep = (status: Status): void => {
  writeText('status', JSON.stringify(status));
  writeText('system_name', status.system_name);
  writeText('logo', status.logo);
  writeText('footer_html', status.footer_html);
  writeText('quota_per_unit', String(status.quota_per_unit));
  writeText('display_in_currency', String(status.display_in_currency));
};

const showIcon = (href: string): void => document.querySelector('link[rel=icon]')?.setAttribute('href', href);

/** Fetches the status, stores it, and updates icon and theme. Without an answer the console stays usable. */
export const loadStatus = async ({ quiet = false } = {}): Promise<void> => {
  try {
    const status = await call(getStatus);
    const before = buildOf(store.get());
    if (before !== undefined && before !== buildOf(status)) toast('notice', m.new_version());
    keep(status);
    store.set(status);
    showIcon(status.logo || defaultLogo);
    setServerTheme(status.theme);
  } catch {
    if (!quiet) toast('error', m.error_no_connection());
  } finally {
    known.set(true);
    statusKnown.resolve();
  }
};

/** Milliseconds between two looks at the status of a page that stays open. */
const againMs = 5 * 60_000;

/** Runs a check when the page is shown again, not more often than every few minutes. */
export const whenShownAgain = (check: () => void): void => {
  let checkedMs = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - checkedMs < againMs) return;
    checkedMs = Date.now();
    check();
  });
};

export const systemName = (status: KnownStatus): string => status.system_name || readText('system_name') || defaultName;
