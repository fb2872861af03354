import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../../components/failure.tsx';
import { Nothing, Section } from '../../../components/section.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { keyRequestsQuery } from './detail-queries.ts';
import { RequestTable } from './request-table.tsx';

/** The newest requests of a key. */
export const KeyRequests = ({ name }: { readonly name: string }) => {
  const t = useT();
  const { data: rows, error, refetch } = useQuery(keyRequestsQuery(name));
  if (error !== null && rows === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <Section title={t(m.token_requests)}>
      {rows === undefined && (
        <div className="p-4" aria-busy="true">
          <Skeleton className="w-full" />
        </div>
      )}
      {rows?.length === 0 && <Nothing text={t(m.token_requests_none)} />}
      {rows && rows.length > 0 && <RequestTable rows={rows} name={name} />}
      <a
        className="block border-t border-line px-4 py-2.5 text-13 font-medium text-brand underline-offset-2 hover:underline"
        href="?tab=requests"
      >
        {t(m.token_requests_all)}
      </a>
    </Section>
  );
};
