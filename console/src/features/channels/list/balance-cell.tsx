import { useQueryClient } from '@tanstack/react-query';
import type { Channel } from '@weir/contract/channels';
import { useState } from 'react';
import { formatTime } from '../../../lib/format/format.ts';
import { useQuotaDisplay } from '../../../lib/api/status.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { balanceText } from './balance-text.ts';

/** The balance in the unit of the type; a click refreshes it from the provider. */
export const BalanceCell = ({ channel }: { readonly channel: Channel }) => {
  const t = useT();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const text = balanceText(channel, useQuotaDisplay());
  if (text === undefined)
    return <span className="text-13 whitespace-nowrap text-mute">{t(m.channel_balance_none)}</span>;
  const { id, name, balance_updated_time: at } = channel;
  const update = async (): Promise<void> => {
    setBusy(true);
    try {
      const { refreshBalance } = await import('../operations.ts');
      await refreshBalance(client, id);
      toast('success', m.channel_balance_updated());
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      data-tip={at > 0 ? t(m.channel_balance_at, { time: formatTime(at) }) : t(m.channel_balance_never)}
      aria-busy={busy || undefined}
      disabled={busy}
      className="-mx-1.5 -my-1 min-h-7 rounded-control px-1.5 tabular-nums underline decoration-line decoration-dotted underline-offset-4 hover:bg-raised disabled:opacity-55 pointer-coarse:-my-3 pointer-coarse:min-h-11"
      onClick={() => void update()}
    >
      {text}
      <span className="sr-only"> · {t(m.channel_balance_update, { name })}</span>
    </button>
  );
};
