import type { Token } from '@weir/contract/tokens';
import { buttonClass } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/text/code-block.tsx';
import { CopyField } from '../../../components/text/copy-field.tsx';
import { DoneMark } from '../../../components/done-mark.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { curlRequest } from '../../../lib/snippets.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { linkOf } from '../list/token-entries.ts';

/** After creation: the key to copy and a request that uses it. */
export const TokenReady = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const { key, address } = linkOf(token);
  return (
    <FormFrame
      title={token.name}
      footer={
        <a className={buttonClass('primary')} href="/token">
          {t(m.done)}
        </a>
      }
    >
      <DoneMark title={t(m.token_ready)} text={t(m.token_ready_text)} />
      <CopyField text={key} label={t(m.token_value)} copyLabel={t(m.token_copy)} />
      <CodeBlock title={t(m.token_curl)} code={curlRequest(address, key)} />
    </FormFrame>
  );
};
