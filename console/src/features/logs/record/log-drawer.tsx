import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { Empty } from '../../../components/empty.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Sheet } from '../../../components/overlay/sheet.tsx';
import { SheetFrame } from '../../../components/overlay/sheet-frame.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { stringifySearch } from '../../../lib/lists/search-params.ts';
import { usePhone } from '../../../lib/hooks/use-media.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { filtersOf } from '../filters/log-filters.ts';
import { LogRecord } from './log-record.tsx';
import type { LogRow } from '../list/log-row.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { recordQuery } from '../queries.ts';

interface LogDrawerProps {
  readonly id: number;
  readonly search: LogsSearch;
  readonly admin: boolean;
  /** The rows on screen, in their order. */
  readonly rows: readonly LogRow[];
  readonly onStep: (row: LogRow) => void;
  readonly onClose: () => void;
}

const typing = 'input,textarea,select';

/** One record beside the list; ← and → step through the rows on screen. */
export const LogDrawer = (props: LogDrawerProps) => {
  const { id, search, admin, rows, onStep, onClose } = props;
  const t = useT();
  const phone = usePhone();
  const index = rows.findIndex((row) => row.id === id);
  const listed = rows[index];
  const found = useQuery({
    ...recordQuery(admin, { id, at: search.at ?? 0, filters: filtersOf(search, admin) }),
    enabled: listed === undefined && search.at !== undefined,
  });
  const row = listed ?? found.data ?? undefined;
  const newer = index > 0 ? rows[index - 1] : undefined;
  const older = index >= 0 ? rows[index + 1] : undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (event.target instanceof Element && event.target.closest(typing))
    )
      return;
    const next = event.key === 'ArrowLeft' ? newer : event.key === 'ArrowRight' ? older : undefined;
    if (next) onStep(next);
  };
  return (
    <Sheet beside={!phone} onClose={onClose} onKeyDown={onKeyDown}>
      <Head {...(row ? { row } : {})} search={search} admin={admin}>
        <IconButton
          icon="left"
          label={t(m.log_previous)}
          aria-keyshortcuts="ArrowLeft"
          disabled={newer === undefined}
          onClick={() => newer && onStep(newer)}
        />
        <IconButton
          icon="right"
          label={t(m.log_next)}
          aria-keyshortcuts="ArrowRight"
          disabled={older === undefined}
          onClick={() => older && onStep(older)}
        />
      </Head>
      <div className="flex-1 overflow-y-auto p-5">
        {row ? (
          <LogRecord row={row} search={search} admin={admin} />
        ) : found.isFetching ? (
          <FormSkeleton fields={6} />
        ) : (
          <Missing />
        )}
      </div>
    </Sheet>
  );
};

interface HeadProps {
  readonly row?: LogRow;
  readonly search: LogsSearch;
  readonly admin: boolean;
  readonly children: ReactNode;
}

const Head = ({ row, search, admin, children }: HeadProps) => {
  const t = useT();
  const frame = useContext(SheetFrame);
  const Title = frame?.Title ?? 'h2';
  return (
    <div className="flex items-center gap-0.5 border-b border-line py-3 pr-3 pl-5">
      <Title className="min-w-0 flex-1 truncate text-13 font-semibold tabular-nums md:text-16">
        <span className="sr-only">{t(m.log_record)}</span> {row && formatTime(row.created_at)}
      </Title>
      {children}
      {row && (
        <CopyButton
          icon="link"
          label={t(m.log_copy_link)}
          text={`${location.origin}/log${stringifySearch({ ...filtersOf(search, admin), id: row.id, at: row.created_at })}`}
        />
      )}
      <IconButton icon="close" label={t(m.close)} onClick={frame?.close} />
    </div>
  );
};

const Missing = () => {
  const t = useT();
  return <Empty icon="search" title={t(m.log_missing)} text={t(m.log_missing_text)} />;
};
