import { useQueryClient } from '@tanstack/react-query';
import { findTextMax } from '@weir/contract/managed-tokens';
import type { FoundToken } from '@weir/contract/managed-tokens';
import { tokenStatus } from '@weir/contract/tokens';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Crumbs } from '../../../components/crumbs.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Textarea } from '../../../components/form/textarea.tsx';
import { report } from '../../../components/list/row-actions.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { Nothing, Section } from '../../../components/section.tsx';
import { Badge } from '../../../components/text/badge.tsx';
import { maskKey } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { LastUse } from '../last-use.tsx';
import { isReplaced } from '../overlap.ts';
import { statusOf } from '../token-status.ts';
import { disableFound, findTokens } from './managed-queries.ts';

/** `/user/find-key`: whose key was pasted. */
export const FindScreen = () => {
  const t = useT();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<readonly FoundToken[]>();
  const find = async (text: string): Promise<void> => {
    setBusy(true);
    try {
      setFound(await findTokens(text));
    } catch (error) {
      setFound(undefined);
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const disable = async (token: FoundToken): Promise<void> => {
    if (!(await report(disableFound(client, token)))) return;
    setFound(found?.map((each) => (each.id === token.id ? { ...each, status: tokenStatus.disabled } : each)));
  };
  return (
    <>
      <Crumbs title={t(m.token_find)} />
      <PageHead title={t(m.token_find)} />
      <FindForm busy={busy} onFind={(text) => void find(text)} />
      {found && (
        <Section title={t(m.token_found)}>
          {found.length === 0 && <Nothing text={t(m.token_found_none)} />}
          <ul className="divide-y divide-line">
            {found.map((token) => (
              <Found key={`${token.id}${token.key}`} token={token} onDisable={() => void disable(token)} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
};

interface FindFormProps {
  readonly busy: boolean;
  readonly onFind: (text: string) => void;
}

const FindForm = ({ busy, onFind }: FindFormProps) => {
  const t = useT();
  const [text, setText] = useState('');
  return (
    <form
      noValidate
      className="flex max-w-160 flex-col gap-4 pb-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && text.trim() !== '') onFind(text);
      }}
    >
      <Field label={t(m.token_find_text)} hint={t(m.token_find_hint)}>
        {(control) => (
          <Textarea
            {...control}
            className="font-mono text-13"
            rows={4}
            maxLength={findTextMax}
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button type="submit" sends look="primary" busy={busy}>
          {t(m.token_find_verb)}
        </Button>
      </div>
    </form>
  );
};

/** What a found key is today: deleted, replaced, or the present key of its token. */
const Standing = ({ token }: { readonly token: FoundToken }) => {
  const t = useT();
  const [status, tone] = statusOf(token.status);
  if (token.deleted_time > 0) return <Badge tone="off">{t(m.token_found_deleted)}</Badge>;
  if (isReplaced(token.valid_until)) return <Badge tone="off">{t(m.token_found_replaced)}</Badge>;
  return <Badge tone={tone}>{t(status)}</Badge>;
};

const Found = ({ token, onDisable }: { readonly token: FoundToken; readonly onDisable: () => void }) => {
  const t = useT();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <span className="min-w-0">
        <b className="font-medium wrap-anywhere">{token.name || '—'}</b>{' '}
        <span className="font-mono text-13 text-mute">{maskKey(token.key)}</span>
      </span>
      <span>
        {t(m.token_found_owner)}{' '}
        <a className="text-brand underline underline-offset-2" href={`/user/tokens/${token.user_id}`}>
          {token.username}
        </a>
      </span>
      <Standing token={token} />
      <span className="text-13">
        {t(m.token_last_used)}: <LastUse token={{ ...token, created_time: 0 }} />
      </span>
      {token.manageable && token.status !== tokenStatus.disabled && (
        <Button sends look="danger" className="ml-auto" onClick={onDisable}>
          {t(m.token_found_disable)}
        </Button>
      )}
      {!token.manageable && token.deleted_time === 0 && (
        <span className="text-13 text-mute">{t(m.token_found_fixed)}</span>
      )}
    </li>
  );
};
