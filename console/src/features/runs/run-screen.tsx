import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Run } from '@weir/contract/limits/runs';
import { useParams } from 'wouter';
import { Button } from '../../components/button.tsx';
import { Crumbs } from '../../components/crumbs.tsx';
import { Failure } from '../../components/failure.tsx';
import { FormSkeleton } from '../../components/form/form-skeleton.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { Money } from '../../components/text/money.tsx';
import { Tile } from '../../components/text/tile.tsx';
import { Time } from '../../components/text/time.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { callsText, RunState } from './columns.tsx';
import { confirmEnd } from './confirm-end.ts';
import { runQuery } from './queries.ts';
import { runTree } from './run-tree.ts';
import { RunTreeTable } from './run-tree-table.tsx';

/** `/run/{id}`: what a run of an agent does and costs. */
export const RunScreen = () => {
  const { id }: { id?: string } = useParams();
  const t = useT();
  const client = useQueryClient();
  const { data: run, error, refetch } = useQuery(runQuery(Number(id)));
  if (run === undefined)
    return (
      <>
        <PageHead title={t(m.run_detail)} />
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={4} />}
      </>
    );
  const parts = runTree(run.steps);
  const logged = parts[0]?.quota ?? 0;
  return (
    <>
      <Crumbs title={run.name} />
      <PageHead title={run.name}>
        <Button sends icon="pause" disabled={run.end !== ''} onClick={() => void confirmEnd(client, run)}>
          {t(m.run_stop)}
        </Button>
      </PageHead>
      <div className="flex flex-col gap-3">
        <Facts run={run} />
        <Section title={t(m.run_tree)}>
          {run.steps.length === 0 ? (
            <Nothing text={t(m.run_tree_none)} />
          ) : (
            <RunTreeTable parts={parts} unlogged={run.used - logged} />
          )}
        </Section>
      </div>
    </>
  );
};

const Facts = ({ run }: { readonly run: Run }) => {
  const t = useT();
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Tile name={t(m.column_status)} detail={run.ends_at > 0 && <EndsAt at={run.ends_at} />}>
        <RunState end={run.end} />
      </Tile>
      <Tile name={t(m.usage_cost)} detail={run.amount > 0 && <Budget amount={run.amount} />}>
        <Money quota={run.used} fine />
      </Tile>
      <Tile
        name={t(m.usage_calls)}
        detail={
          <>
            {t(m.run_last)}: <Time unixSeconds={run.last_at} />
          </>
        }
      >
        {callsText(run)}
      </Tile>
      <Tile
        name={t(m.run_owner)}
        detail={
          <>
            {t(m.run_started)}: <Time unixSeconds={run.started_at} />
          </>
        }
      >
        <span className="min-w-0 truncate" title={`${run.username} · ${run.token_name}`}>
          {run.username}
        </span>
      </Tile>
    </dl>
  );
};

const EndsAt = ({ at }: { readonly at: number }) => {
  const t = useT();
  return (
    <>
      {t(m.run_ends)}: <Time unixSeconds={at} />
    </>
  );
};

const Budget = ({ amount }: { readonly amount: number }) => {
  const t = useT();
  return (
    <>
      {t(m.run_budget)}: <Money quota={amount} />
    </>
  );
};
