import { IconButton } from '../../../components/icon-button.tsx';
import { menuTrigger } from '../../../components/overlay/overlays.ts';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { LogFilters } from '../filters/log-filters.ts';
import { exportHref } from '../queries.ts';
import type { LogSource } from '../queries.ts';

interface ExportButtonProps {
  readonly source: LogSource;
  readonly admin: boolean;
  readonly filters: LogFilters;
}

const save = (href: string): void => {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
};

/** Everything that fits as a file, which the server writes while the browser saves it; other servers cannot. */
export const ExportButton = ({ source, admin, filters }: ExportButtonProps) => {
  const t = useT();
  if (!useCapabilities()) return null;
  const entry = (format: 'csv' | 'jsonl', text: string) =>
    ({ kind: 'action', icon: 'download', text, run: () => save(exportHref(source, admin, filters, format)) }) as const;
  const entries = [entry('csv', t(m.log_export_csv)), entry('jsonl', t(m.log_export_jsonl))];
  const label = t(m.log_export);
  return <IconButton icon="file" label={label} {...menuTrigger(() => ({ label, entries }))} />;
};
