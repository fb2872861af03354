import type { Token } from '@weir/contract/tokens';
import { Time } from '../../components/text/time.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** When a token was last used, and from where. */
export const LastUse = ({
  token,
}: {
  readonly token: Pick<Token, 'accessed_time' | 'created_time' | 'last_address'>;
}) => {
  const t = useT();
  const { accessed_time: at, created_time: created, last_address: address = '' } = token;
  // A token that was never used has the time of its creation here.
  if (at === 0 || (at === created && address === '')) return t(m.never);
  return (
    <>
      <Time unixSeconds={at} />
      {address !== '' && <span className="pl-2 font-mono text-13 wrap-anywhere text-mute">{address}</span>}
    </>
  );
};
