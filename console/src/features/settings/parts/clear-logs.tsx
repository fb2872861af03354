import { useQuery, useQueryClient } from '@tanstack/react-query';
import { clearLogs, countLogs } from '@weir/contract/logs';
import { useEffect, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { DateTimeInput } from '../../../components/form/date-time-input.tsx';
import { Field } from '../../../components/form/field.tsx';
import { confirm } from '../../../components/overlay/overlays.ts';
import { call } from '../../../lib/api/call.ts';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import { failureMessage } from '../../../lib/api/failure-text.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { parseTime } from '../../../lib/format/parse-time.ts';
import { toast } from '../../../lib/toasts.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** 30 days (specification §9). */
const defaultAgeSeconds = 2_592_000;

const defaultTime = (): string => formatTime(Math.floor(Date.now() / 1000) - defaultAgeSeconds);

const restMs = 400;

/** Number of rows to delete, debounced; undefined on servers that do not count. */
const useCount = (typed: string): number | undefined => {
  const [before, setBefore] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setBefore(parseTime(typed, Date.now())), restMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useQuery({
    queryKey: ['logs', 'count before', before],
    queryFn: ({ signal }) => call(countLogs, { query: { end_timestamp: (before ?? 1) - 1 }, signal }),
    enabled: useCapabilities() && before !== undefined && before > 1,
    retry: false,
  });
  return data?.total;
};

/** Deletes the log of all users before a time, after a confirmation word was typed. */
export const ClearLogs = () => {
  const t = useT();
  const client = useQueryClient();
  const [typed, setTyped] = useState(defaultTime);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const rows = useCount(typed);
  const language = useLanguage();
  const clear = async (): Promise<void> => {
    const target = parseTime(typed, Date.now());
    setProblem(target === undefined ? t(m.setting_logs_time_invalid) : undefined);
    if (target === undefined || busy || !(await confirmClearing(target))) return;
    setBusy(true);
    try {
      const count = await call(clearLogs, { query: { target_timestamp: target } });
      toast('success', m.setting_logs_cleared({ count }));
      await client.invalidateQueries({ queryKey: ['logs'] });
    } catch (error) {
      toast('error', m.setting_logs_failed({ message: failureMessage(error) }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="w-64 max-w-full">
        <Field label={t(m.setting_logs_before)} error={problem}>
          {(control) => (
            <DateTimeInput {...control} value={typed} placeholder={t(m.setting_logs_example)} onChange={setTyped} />
          )}
        </Field>
      </div>
      <Button sends look="quiet-danger" icon="trash" busy={busy} onClick={() => void clear()}>
        {t(m.setting_logs_clear)}
        {rows !== undefined && ` (${rows.toLocaleString(language)})`}
      </Button>
    </div>
  );
};

const confirmClearing = (target: number): Promise<boolean> =>
  confirm({
    title: m.setting_logs_clear_title({ time: formatTime(target) }),
    text: m.setting_logs_clear_text(),
    verb: m.setting_logs_clear(),
    danger: true,
    typed: {
      word: m.setting_logs_word(),
      label: m.setting_logs_type({ word: m.setting_logs_word() }),
      mismatch: m.setting_logs_type({ word: m.setting_logs_word() }),
    },
  });
