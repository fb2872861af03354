import { Sheet } from '../../components/overlay/sheet.tsx';
import { SheetHead } from '../../components/overlay/sheet-head.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { auditColumns, Detail } from './columns.tsx';
import { labelOf } from './audit-labels.ts';
import type { AuditEntry } from './queries.ts';

interface AuditSheetProps {
  readonly entry: AuditEntry;
  readonly onClose: () => void;
}

/** All fields of one entry. */
export const AuditSheet = ({ entry, onClose }: AuditSheetProps) => {
  const t = useT();
  return (
    <Sheet onClose={onClose}>
      <SheetHead title={t(labelOf(entry.action))} />
      <dl className="grid grid-cols-[auto_1fr] overflow-y-auto p-5">
        {auditColumns.map(({ id, title, render }) => (
          <div key={id} className="col-span-2 grid grid-cols-subgrid border-b border-line py-1.5">
            <dt className="pr-5 text-13 text-mute">{t(title)}</dt>
            <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap">
              {id === 'detail' ? <Detail {...entry} /> : render(entry)}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
};
