import { useQueryClient } from '@tanstack/react-query';
import { reportBytesMax } from '@weir/contract/bills/bills';
import type { Statement } from '@weir/contract/bills/bills';
import { vendors } from '@weir/contract/catalogue/vendors';
import { useState } from 'react';
import { failureText } from '../../lib/api/failure-text.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { navigate } from '../../lib/router/navigate.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { billsSearch } from './bills-search.ts';
import { fetchBill, read, store } from './queries.ts';

export interface ImportValues {
  readonly way: 'file' | 'fetch';
  /** Channel type. */
  readonly vendor: number;
  readonly source: string;
  /** Forgotten as soon as the fetch has ended. */
  readonly key: string;
  /** UTC days. */
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;
const dayBefore = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const initialOf = (vendor: number): ImportValues => ({
  way: 'file',
  vendor,
  source: '',
  key: '',
  from: dayBefore(7),
  to: dayBefore(1),
});

/** One piece of work at a time, and why the last one failed. */
const useWork = () => {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  return { problem, setProblem, busy, run: (work: () => Promise<void>) => void run(work) };
};

/** Reads or fetches a report, keeps it for the preview, and stores it when it is submitted again. */
export const useImport = () => {
  const t = useT();
  const client = useQueryClient();
  // That of the list underneath.
  const [{ vendor: chosen = vendors.openai.id }] = useSearchState(billsSearch);
  const [values, setValues] = useState(() => initialOf(chosen));
  const [statement, setStatement] = useState<Statement>();
  const { problem, setProblem, busy, run } = useWork();
  const change = (part: Partial<ImportValues>): void => {
    setValues({ ...values, ...part });
    setProblem(undefined);
    // The vendor and the account of a report may be corrected after it was read.
    if (part.way !== undefined || part.from !== undefined || part.to !== undefined) setStatement(undefined);
  };
  const show = (found: Statement): void => {
    setStatement(found.lines.length === 0 ? undefined : found);
    if (found.lines.length === 0) setProblem(t(m.bill_nothing_fetched));
    setValues((before) => ({ ...before, key: '', vendor: found.vendor || before.vendor }));
  };
  const open = (file: File | undefined): void => {
    setStatement(undefined);
    setProblem(undefined);
    if (file === undefined) return;
    if (file.size > reportBytesMax) setProblem(t(m.bill_file_large));
    else run(async () => show(await read(await file.text())));
  };
  const importIt = async ({ format, lines }: Statement): Promise<void> => {
    const { vendor, source } = values;
    await store(client, { vendor, source: source.trim(), format, lines });
    toast('success', t(m.bill_imported, { count: lines.length }));
    const days = lines.map(({ day }) => day).toSorted();
    await navigate(`/bill${stringifySearch({ vendor, from: days[0], to: days.at(-1) })}`);
  };
  const submit = (): void => {
    const { way, vendor, key, from, to } = values;
    if (statement !== undefined) run(() => importIt(statement));
    else if (way === 'file') setProblem(t(m.bill_file_missing));
    else if (key.trim() === '') setProblem(t(m.bill_key_missing));
    else run(async () => show(await fetchBill({ vendor, key: key.trim(), from, to })));
  };
  return { values, statement, problem, busy, change, open, submit };
};
