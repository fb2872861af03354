import { useQuery } from '@tanstack/react-query';
import type { AccountStatement } from '@weir/contract/bills/account-statements';
import { useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { Failure } from '../../components/failure.tsx';
import { Select } from '../../components/form/select.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { UsageTable } from '../../components/table/usage-table.tsx';
import type { UsageLine } from '../../components/table/usage-table.tsx';
import { Badge } from '../../components/text/badge.tsx';
import { Money } from '../../components/text/money.tsx';
import { Tile } from '../../components/text/tile.tsx';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { CreditsTable } from './credits-table.tsx';
import { statementHref, statementQuery } from './queries.ts';
import { statementSearch } from './statement-search.ts';
import type { StatementSearch } from './statement-search.ts';
import { recentMonths, sumsByDay, sumsByModel, totalQuota } from './usage-sums.ts';

/** `/statement`: an account in one month, for the screen and for paper. */
export const StatementScreen = () => {
  const t = useT();
  const [search, patch] = useSearchState(statementSearch);
  const { data, error, refetch } = useQuery(statementQuery(search));
  const [months] = useState(() => recentMonths(Date.now()));
  // Without one in the address it is the month that runs, which is the last one for some minutes after its end.
  const month = search.month ?? data?.month ?? months[0] ?? '';
  const choices = (months.includes(month) ? months : [month, ...months]).map((each) => [each, each] as const);
  return (
    <div className="mx-auto w-full max-w-260">
      <PageHead title={t(m.statement_title)}>
        <Select
          aria-label={t(m.statement_month)}
          className="print:hidden"
          value={month}
          choices={choices}
          onPick={(picked) => patch({ month: picked === months[0] ? undefined : picked })}
        />
        <Actions search={search} />
      </PageHead>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <FormSkeleton fields={6} />}
      {error === null && data !== undefined && <Statement statement={data} />}
    </div>
  );
};

const Actions = ({ search }: { readonly search: StatementSearch }) => {
  const t = useT();
  return (
    <>
      <a className={`${buttonClass('plain')} print:hidden`} href={statementHref(search)} download>
        <Icon name="download" />
        {t(m.statement_csv)}
      </a>
      <span className="print:hidden">
        <Button icon="file" onClick={() => window.print()}>
          {t(m.statement_print)}
        </Button>
      </span>
    </>
  );
};

const linesOf = (sums: ReturnType<typeof sumsByModel>, t: Translate): readonly UsageLine[] =>
  sums.map(({ name, ...sum }) => ({
    ...sum,
    id: name,
    name: (
      <span className="font-mono text-12" title={name}>
        {name || t(m.statement_other)}
      </span>
    ),
  }));

const Statement = ({ statement }: { readonly statement: AccountStatement }) => {
  const t = useT();
  const { username, month, closed, opening, credited, used, closing, credits, usage } = statement;
  const unlogged = used - totalQuota(usage);
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-14">
        <span className="font-semibold wrap-anywhere">{username}</span>
        <span className="text-mute tabular-nums">{t(m.statement_of, { month })}</span>
        <Badge tone={closed ? 'off' : 'ok'}>{t(closed ? m.statement_closed : m.statement_running)}</Badge>
      </p>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4 print:grid-cols-4">
        <Tile name={t(m.statement_opening)}>
          <Money quota={opening} />
        </Tile>
        <Tile name={t(m.statement_credited)}>
          <Money quota={credited} />
        </Tile>
        <Tile name={t(m.statement_used)}>
          <Money quota={used} fine />
        </Tile>
        <Tile name={t(closed ? m.statement_closing : m.statement_balance)}>
          <Money quota={closing} />
        </Tile>
      </dl>
      <Section title={t(m.statement_credits)}>
        {credits.length === 0 ? <Nothing text={t(m.statement_no_credits)} /> : <CreditsTable credits={credits} />}
      </Section>
      <Section title={t(m.statement_by_model)}>
        {usage.length === 0 && unlogged === 0 ? (
          <Nothing text={t(m.statement_no_usage)} />
        ) : (
          <UsageTable
            caption={t(m.statement_by_model)}
            head={t(m.statement_model)}
            lines={linesOf(sumsByModel(usage), t)}
            unlogged={unlogged}
          />
        )}
      </Section>
      {usage.length > 0 && (
        <Section title={t(m.statement_by_day)}>
          <UsageTable
            caption={t(m.statement_by_day)}
            head={t(m.statement_day)}
            lines={linesOf(sumsByDay(usage), t)}
            unlogged={0}
          />
        </Section>
      )}
    </div>
  );
};
