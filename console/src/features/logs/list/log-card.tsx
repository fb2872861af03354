import { Icon } from '../../../components/icon.tsx';
import { formatTime } from '../../../lib/format/format.ts';
import { useLanguage } from '../../../lib/browser/locale.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { CostCell } from './log-cells.tsx';
import type { LogRow } from './log-row.ts';
import { isCall, typeOf } from '../filters/log-type.ts';

/** A record on a phone: what and how much; then when, which key, how many tokens. */
export const LogCard = ({ row }: { readonly row: LogRow }) => {
  const t = useT();
  const language = useLanguage();
  const [word, icon] = typeOf(row.type);
  const call = isCall(row.type);
  const tokens = t(m.log_token_count, { count: (row.prompt_tokens + row.completion_tokens).toLocaleString(language) });
  return (
    <span className="flex flex-col gap-0.5">
      <span className="flex items-center gap-2">
        {icon && <Icon name={icon} className="size-4 text-mute" />}
        <span className="min-w-0 flex-1 truncate font-semibold">{row.model_name || t(word)}</span>
        <span className="tabular-nums">
          <CostCell row={row} />
        </span>
      </span>
      <span className="flex gap-1 text-12 whitespace-nowrap text-mute tabular-nums">
        <span>{formatTime(row.created_at)}</span>
        <span className="truncate">{row.token_name ? `· ${row.token_name}` : !call && `· ${row.content}`}</span>
        {call && <span>· {tokens}</span>}
      </span>
    </span>
  );
};
