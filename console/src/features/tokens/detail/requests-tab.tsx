import type { Token } from '@weir/contract/tokens';
import { pageSize } from '@weir/contract/wire';
import { useState } from 'react';
import { Button, buttonClass } from '../../../components/button.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Nothing, Section } from '../../../components/section.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { usePagedList } from '../../../lib/lists/paged-list.ts';
import { stringifySearch } from '../../../lib/lists/search-params.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { keyRequestPages } from './detail-queries.ts';
import { RequestTable } from '../request-table.tsx';

/** Every request of a token, newest first, loaded page by page. */
export const RequestsTab = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const [needed, setNeeded] = useState(2);
  const list = usePagedList({ ...keyRequestPages(token), needed });
  if (list.error !== null && list.rows.length === 0) return <Failure error={list.error} onRetry={list.refetch} />;
  const rows = list.rows.slice(0, needed * pageSize);
  return (
    <Section title={t(m.token_requests_tab)}>
      {list.loading && rows.length === 0 && (
        <div className="p-4" aria-busy="true">
          <Skeleton className="w-full" />
        </div>
      )}
      {!list.loading && rows.length === 0 && <Nothing text={t(m.token_requests_none)} />}
      {rows.length > 0 && <RequestTable rows={rows} name={token.name} />}
      <div className="flex flex-wrap gap-2 border-t border-line px-4 py-3">
        {(!list.complete || list.rows.length > rows.length) && (
          <Button busy={list.fetching} onClick={() => setNeeded(needed + 2)}>
            {t(m.token_requests_more)}
          </Button>
        )}
        <a className={buttonClass('quiet')} href={`/log${stringifySearch({ token_name: token.name })}`}>
          {t(m.token_requests_in_log)}
        </a>
      </div>
    </Section>
  );
};
