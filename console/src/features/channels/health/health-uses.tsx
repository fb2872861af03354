import type { ChannelHealth } from '@weir/contract/channel-health';
import type { ReactNode } from 'react';
import { Money } from '../../../components/text/money.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { Nothing, Section } from '../../../components/section.tsx';
import { kindTexts } from './health-labels.ts';

export const HealthErrors = ({ errors }: Pick<ChannelHealth, 'errors'>) => {
  const t = useT();
  return (
    <Section title={t(m.health_errors)}>
      {errors.length === 0 ? (
        <Nothing text={t(m.health_errors_none)} />
      ) : (
        <ul className="py-2">
          {errors.map(({ kind, count }) => (
            <li key={kind} className="flex justify-between gap-4 px-4 py-1">
              <span>{t(kindTexts[kind])}</span>
              <span className="tabular-nums">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

export const HealthModels = ({ models }: Pick<ChannelHealth, 'models'>) => {
  const t = useT();
  const rows = models.map(({ model, requests, quota }) => ({ name: model, note: '', requests, quota }));
  return <Uses title={t(m.health_models)} what={t(m.health_model)} rows={rows} />;
};

export const HealthKeys = ({ keys }: Pick<ChannelHealth, 'keys'>) => {
  const t = useT();
  const rows = keys.map(({ token_name: name, username: note, requests, quota }) => ({ name, note, requests, quota }));
  return <Uses title={t(m.health_keys)} what={t(m.health_key)} rows={rows} />;
};

interface UsesProps {
  readonly title: string;
  readonly what: string;
  readonly rows: readonly {
    readonly name: string;
    /** Owner of the token. */
    readonly note: string;
    readonly requests: number;
    readonly quota: number;
  }[];
}

const Uses = ({ title, what, rows }: UsesProps) => {
  const t = useT();
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <Nothing text={t(m.health_use_none)} />
      ) : (
        <table className="mb-2 w-full table-fixed">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="text-left text-12 text-mute">
              <Head>{what}</Head>
              <Head end>{t(m.health_requests)}</Head>
              <Head end>{t(m.health_quota)}</Head>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, note, requests, quota }) => (
              <tr key={`${note} ${name}`}>
                <td className="truncate py-1 pl-4" title={name}>
                  {name || '—'} {note && <span className="text-13 text-mute max-md:block max-md:truncate">{note}</span>}
                </td>
                <td className="px-2 py-1 text-right tabular-nums">{requests}</td>
                <td className="py-1 pr-4 pl-2 text-right">
                  <Money quota={quota} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
};

const Head = ({ end = false, children }: { readonly end?: boolean; readonly children: ReactNode }) => (
  <th scope="col" className={`px-2 pt-2 pb-1 font-medium first:pl-4 last:pr-4 ${end ? 'w-22 text-right' : ''}`}>
    {children}
  </th>
);
