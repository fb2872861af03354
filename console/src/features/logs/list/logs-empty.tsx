import { useQuery } from '@tanstack/react-query';
import { Button, buttonClass } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/text/code-block.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Icon } from '../../../components/icon.tsx';
import { trimSlash } from '../../../lib/format/format.ts';
import { selfQuery } from '../../../lib/api/self.ts';
import { curlRequest } from '../../../lib/snippets.ts';
import { useStatus } from '../../../lib/api/status.ts';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { filterText } from '../filters/filter-text.ts';
import { noFilters } from '../filters/log-filters.ts';
import type { LogFilters } from '../filters/log-filters.ts';
import { pickPreset, rangeOf, widerThan } from '../filters/log-range.ts';
import type { LogsSearch } from '../filters/logs-search.ts';
import { presetLabels, whenLabels } from '../filters/range-text.ts';

interface LogsEmptyProps {
  readonly filters: LogFilters;
  readonly patch: Patch<LogsSearch>;
  /** Number of loaded rows, all of them excluded by this page. */
  readonly hidden: number;
}

/** Empty state of the log: because of exclusions, the filters or the range, or because there was no request yet. */
export const LogsEmpty = ({ filters, patch, hidden }: LogsEmptyProps) => {
  const t = useT();
  const { data: self } = useQuery(selfQuery);
  if (hidden > 0)
    return (
      <Empty icon="eye-off" title={t(m.log_all_hidden, { count: hidden })}>
        <Button onClick={() => patch({ not: undefined })}>{t(m.log_show_hidden)}</Button>
      </Empty>
    );
  const range = rangeOf(filters);
  const set = filterText(filters, t);
  const wider = widerThan(range);
  const own = filters.team === undefined;
  const never = wider === undefined || self?.request_count === 0;
  if (own && never && set.length === 0) return <NothingYet />;
  return (
    <Empty
      icon={set.length > 0 ? 'search' : 'log'}
      title={t(m.log_none_when, { when: t(whenLabels[range]) })}
      text={set.length > 0 ? t(m.log_none_filters, { filters: set.join(' · ') }) : undefined}
    >
      {wider && (
        <Button onClick={() => patch({ ...pickPreset(wider), p: undefined })}>
          {t(m.log_try, { range: t(presetLabels[wider]) })}
        </Button>
      )}
      {set.length > 0 && <Button onClick={() => patch(noFilters)}>{t(m.clear_filters)}</Button>}
    </Empty>
  );
};

const NothingYet = () => {
  const t = useT();
  const { server_address: address } = useStatus();
  return (
    <>
      <Empty icon="log" title={t(m.log_none_when, { when: t(m.log_when_all) })} text={t(m.log_none_text)}>
        <a className={buttonClass('primary')} href="/token/add">
          <Icon name="plus" />
          {t(m.log_create_key)}
        </a>
      </Empty>
      <div className="mx-auto w-full max-w-160 px-4 pb-12">
        <CodeBlock
          title={t(m.log_first_request)}
          code={curlRequest(trimSlash(address ?? '') || location.origin, 'sk-…')}
        />
      </div>
    </>
  );
};
