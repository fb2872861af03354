import { useQuery } from '@tanstack/react-query';
import { neverExpires } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import type { ReactNode } from 'react';
import { Money } from '../../../components/text/money.tsx';
import { Section } from '../../../components/section.tsx';
import { Time } from '../../../components/text/time.tsx';
import { splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { LastUse } from '../last-use.tsx';
import { firstUseQuery } from './detail-queries.ts';

/** The limits of a token, and when it was created. */
export const KeyLimits = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const { data: first } = useQuery(firstUseQuery(token));
  const { expired_time: expires, models, subnet } = token;
  return (
    <Section title={t(m.token_limits)}>
      <dl className="flex flex-col gap-3 px-4 py-3">
        <Fact name={t(m.token_quota)}>
          {token.unlimited_quota ? t(m.unlimited) : <Money quota={token.remain_quota + token.used_quota} />}
        </Fact>
        <Fact name={t(m.token_used_total)}>
          <Money quota={token.used_quota} />
        </Fact>
        <Fact name={t(m.token_models)}>
          <Names names={splitList(models)} none={t(m.token_models_all)} />
        </Fact>
        <Fact name={t(m.token_subnet)}>
          <Names names={splitList(subnet)} none={t(m.token_subnet_all)} />
        </Fact>
        <Fact name={t(m.token_expires)}>{expires === neverExpires ? t(m.never) : <Time unixSeconds={expires} />}</Fact>
        <Fact name={t(m.column_created)}>
          <Time unixSeconds={token.created_time} />
        </Fact>
        {first && (
          <Fact name={t(m.token_first_used)}>
            <Time unixSeconds={first} stop />
          </Fact>
        )}
        <Fact name={t(m.token_last_used)}>
          <LastUse token={token} />
        </Fact>
      </dl>
    </Section>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-12 text-mute">{name}</dt>
    <dd className="tabular-nums">{children}</dd>
  </div>
);

const Names = ({ names, none }: { readonly names: readonly string[]; readonly none: string }) =>
  names.length === 0 ? none : <span className="font-mono text-13 wrap-anywhere">{names.join(', ')}</span>;
