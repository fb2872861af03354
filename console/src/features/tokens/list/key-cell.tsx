import type { Token } from '@weir/contract/tokens';
import { createContext, useContext } from 'react';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { maskKey } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** Receives a value that could not be copied; the list shows it in its search box. */
export const RefusedCopy = createContext<(text: string) => void>(() => undefined);

/** The masked key, with the button that copies it whole. */
export const KeyCell = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const onRefused = useContext(RefusedCopy);
  return (
    <span className="flex items-center gap-0.5">
      <span className="font-mono text-13 whitespace-nowrap text-mute">{maskKey(token.key)}</span>
      <CopyButton text={`sk-${token.key}`} label={t(m.token_copy_named, { name: token.name })} onRefused={onRefused} />
    </span>
  );
};
