import type { Token } from '@weir/contract/tokens';
import { useContext } from 'react';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { maskKey } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { RefusedCopy } from './refused-copy.ts';

/** The key masked, with the button that copies it whole. */
export const KeyCell = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const onRefused = useContext(RefusedCopy);
  return (
    <span className="flex items-center gap-0.5">
      <span className="font-mono text-13 text-mute">{maskKey(token.key)}</span>
      <CopyButton text={`sk-${token.key}`} label={t(m.token_copy_named, { name: token.name })} onRefused={onRefused} />
    </span>
  );
};
