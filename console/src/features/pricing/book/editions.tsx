import { useQueryClient } from '@tanstack/react-query';
import type { BookEdition } from '@weir/contract/prices/book-updates';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { confirm } from '../../../components/overlay/overlays.ts';
import { Section } from '../../../components/section.tsx';
import { Time } from '../../../components/text/time.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { restore } from './queries.ts';
import { sourceText } from './source-text.ts';

interface EditionsProps {
  /** The latest first: the one in force. */
  readonly editions: readonly BookEdition[];
}

/** Before the first approval of a user the prices that come with the program counted. */
const hasBefore = (editions: readonly BookEdition[]): boolean =>
  editions.length > 0 && editions.every(({ by }) => by !== '') && editions[0]?.source !== 'edition 0';

/** The editions that were approved, each of which can be put in force again. */
export const Editions = ({ editions }: EditionsProps) => {
  const t = useT();
  const client = useQueryClient();
  const [busy, setBusy] = useState<number>();
  const [current, ...earlier] = editions;
  const goBack = async (id: number, name: string): Promise<void> => {
    const goAhead = await confirm({
      title: t(m.book_restore_title, { name }),
      text: t(m.book_restore_text),
      verb: t(m.book_restore),
    });
    if (!goAhead) return;
    setBusy(id);
    try {
      await restore(client, { id, against: current?.id ?? 0 });
      toast('success', t(m.book_restored));
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  const button = (id: number, name: string) => (
    <Button sends busy={busy === id} aria-label={`${t(m.book_restore)}: ${name}`} onClick={() => void goBack(id, name)}>
      {t(m.book_restore)}
    </Button>
  );
  return (
    <Section title={t(m.book_editions)}>
      {current === undefined && <p className="px-4 py-3 text-13 text-mute">{t(m.book_none_approved)}</p>}
      <ul className="flex flex-col px-4 py-1">
        {[...(current === undefined ? [] : [current]), ...earlier].map((edition) => (
          <li
            key={edition.id}
            className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-1.5 first:border-t-0"
          >
            <span className="min-w-0 flex-1 basis-48">
              <span className="font-medium wrap-anywhere">{edition.name}</span>{' '}
              <span className="text-13 wrap-anywhere text-mute">
                {sourceText(edition, t)} · <Time unixSeconds={edition.created_at} /> {edition.by}
              </span>
            </span>
            {edition === current ? (
              <span className="text-13 text-ok">{t(m.book_in_force)}</span>
            ) : (
              button(edition.id, `${edition.name} ${edition.id}`)
            )}
          </li>
        ))}
        {hasBefore(editions) && (
          <li className="flex min-h-11 flex-wrap items-center gap-x-3 border-t border-line py-1.5">
            <span className="min-w-0 flex-1 basis-48 text-13">{t(m.book_source_none)}</span>
            {button(0, t(m.book_source_none))}
          </li>
        )}
      </ul>
    </Section>
  );
};
