import { useQuery } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import { useState } from 'react';
import { CodeBlock } from '../../../components/text/code-block.tsx';
import { CopyField } from '../../../components/text/copy-field.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Select } from '../../../components/form/select.tsx';
import { Switch } from '../../../components/form/switch.tsx';
import { maskKey, splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { snippets } from './client-snippets.ts';
import { modelsQuery } from './detail-queries.ts';
import { linkOf } from '../list/token-entries.ts';

const usualModel = 'gpt-4o-mini';

/** The models that a token may call; the default one first if it is among them. */
const useModels = (token: Token): readonly string[] => {
  const { data: offered = [] } = useQuery(modelsQuery);
  const allowed = splitList(token.models);
  const models = allowed.length > 0 ? allowed : offered;
  return models.includes(usualModel) ? [usualModel, ...models.filter((model) => model !== usualModel)] : models;
};

/** How clients use a token: the address, the key on demand, and snippets to paste. */
export const ConnectTab = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const { key, address } = linkOf(token);
  const models = useModels(token);
  const [model, setModel] = useState('');
  const [shown, setShown] = useState(false);
  const [id, setId] = useState('curl');
  const snippet = snippets.find((each) => each.id === id) ?? snippets[0];
  const of = { address, model: model || models[0] || usualModel };
  const visible = shown ? key : maskKey(token.key);
  return (
    <div className="flex max-w-180 flex-col gap-5">
      <div className="flex flex-col gap-1.5">
        <p className="text-13 font-medium">{t(m.home_base_url)}</p>
        <CopyField text={`${address}/v1`} label={t(m.home_base_url)} copyLabel={t(m.home_copy_base_url)} />
      </div>
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t(m.token_snippet)}>
          {(control) => (
            <Select
              {...control}
              value={id}
              choices={snippets.map((each) => [each.id, each.name] as const)}
              onPick={setId}
            />
          )}
        </Field>
        <Field label={t(m.token_snippet_model)}>
          {(control) => (
            <Select
              {...control}
              value={of.model}
              choices={(models.length > 0 ? models : [usualModel]).map((each) => [each, each] as const)}
              onPick={setModel}
              className="max-w-72"
            />
          )}
        </Field>
        <Switch label={t(m.token_snippet_key)} on={shown} onFlip={setShown} />
      </div>
      {snippet && (
        <CodeBlock
          title={snippet.name}
          code={snippet.code({ ...of, key: visible })}
          copied={snippet.code({ ...of, key })}
        />
      )}
      <Notice tone="info">{t(m.token_snippet_note)}</Notice>
    </div>
  );
};
