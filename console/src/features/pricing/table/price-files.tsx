import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { IconButton } from '../../../components/icon-button.tsx';
import { menuTrigger } from '../../../components/overlay/overlays.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';

/** Saves all prices as a file. */
const save = async (client: QueryClient): Promise<void> => {
  const [{ csvHeader, csvRows }, { pricedModelsQuery }, { downloadText, toCsv }] = await Promise.all([
    import('./price-csv.ts'),
    import('../editor/queries.ts'),
    import('../../../lib/format/csv.ts'),
  ]);
  const facts = await client.query(pricedModelsQuery(''));
  downloadText('prices.csv', toCsv(csvHeader, csvRows(facts, Math.floor(Date.now() / 1000))), 'text/csv');
};

/** Export of all prices as a table that can be changed and imported again. */
export const PriceFiles = ({ onImport }: { readonly onImport: () => void }) => {
  const t = useT();
  const client = useQueryClient();
  return (
    <IconButton
      icon="file"
      label={t(m.price_files)}
      {...menuTrigger(() => ({
        label: t(m.price_files),
        entries: [
          {
            kind: 'action',
            icon: 'download',
            text: t(m.price_export),
            run: () => void save(client).catch(toastFailure),
          },
          { kind: 'action', icon: 'plus', text: t(m.price_import), run: onImport },
          { kind: 'link', icon: 'tag', text: t(m.book_title), href: '/pricing/book' },
        ],
      }))}
    />
  );
};
