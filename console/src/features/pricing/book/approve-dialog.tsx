import type { QueryClient } from '@tanstack/react-query';
import type { BookComparison } from '@weir/contract/prices/book-updates';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Checkbox } from '../../../components/form/checkbox.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { Notice } from '../../../components/notice.tsx';
import { FormDialog } from '../../../components/overlay/form-dialog.tsx';
import { ViewTabs } from '../../../components/view-tabs.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { totalsOf } from './book-rows.ts';
import type { BookRow } from './book-rows.ts';
import { approve } from './queries.ts';
import { TotalsText } from './totals.tsx';

interface Answer {
  /** Null: at once. */
  readonly from: string | null;
  readonly keep: boolean;
}

interface ApproveDialogProps {
  readonly rows: readonly BookRow[];
  readonly today: string;
  readonly isPart: boolean;
  readonly perDollar: number;
  readonly onAnswer: (answer: Answer | undefined) => void;
}

const ApproveDialog = ({ rows, today, isPart, perDollar, onAnswer }: ApproveDialogProps) => {
  const t = useT();
  const [when, setWhen] = useState<'now' | 'day'>('now');
  const [day, setDay] = useState(today);
  const [keep, setKeep] = useState(isPart);
  const [problem, setProblem] = useState<string>();
  const totals = totalsOf(rows);
  const submit = (): void => {
    if (when === 'now') onAnswer({ from: null, keep });
    else if (/^\d{4}-\d\d-\d\d$/.test(day) && day >= today) onAnswer({ from: day, keep });
    else setProblem(t(m.book_day_wrong, { day: today }));
  };
  return (
    <FormDialog
      title={t(m.book_approve_title, { count: rows.length })}
      verb={t(m.book_approve)}
      busy={false}
      onSubmit={submit}
      onClose={() => onAnswer(undefined)}
    >
      <TotalsText totals={totals} perDollar={perDollar} />
      <ViewTabs
        label={t(m.book_when)}
        current={when}
        views={[
          ['now', t(m.book_now)],
          ['day', t(m.book_from_day)],
        ]}
        onPick={setWhen}
      />
      {when === 'day' && (
        <Field label={t(m.book_day)} hint={t(m.book_day_hint)} error={problem}>
          {(control) => (
            <Input
              {...control}
              type="date"
              min={today}
              value={day}
              onChange={({ target }) => {
                setDay(target.value);
                setProblem(undefined);
              }}
            />
          )}
        </Field>
      )}
      {isPart && <Checkbox label={t(m.book_keep)} checked={keep} onChange={({ target }) => setKeep(target.checked)} />}
      {totals.refused > 0 && <Notice tone="warn">{t(m.book_refused_count, { count: totals.refused })}</Notice>}
      <p className="text-13 text-mute">{t(m.book_approve_hint)}</p>
    </FormDialog>
  );
};

const askFor = (props: Omit<ApproveDialogProps, 'onAnswer'>): Promise<Answer | undefined> => {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  return new Promise((resolve) => {
    const onAnswer = (answer: Answer | undefined): void => {
      resolve(answer);
      root.unmount();
      container.remove();
    };
    root.render(<ApproveDialog {...props} onAnswer={onAnswer} />);
  });
};

/** Asks from when on these rows should count, and approves them. `isAll`: everything that the book has. */
export const approveRows = async (
  client: QueryClient,
  {
    comparison,
    rows,
    isAll,
  }: { readonly comparison: BookComparison; readonly rows: readonly BookRow[]; readonly isAll: boolean },
): Promise<void> => {
  const { proposal, against, today, quota_per_dollar: perDollar, differences } = comparison;
  const answer = await askFor({ rows, today, perDollar, isPart: rows.length < differences.length });
  if (answer === undefined) return;
  const chosen = isAll ? ('all' as const) : rows.map(({ vendor, model }) => ({ vendor, model }));
  try {
    await approve(client, { proposal: proposal.id, against, chosen, ...answer });
    toast('success', m.book_approved({ count: rows.length }));
  } catch (error) {
    toastFailure(error);
  }
};
