import { Icon } from '../../../components/icon.tsx';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { readExcluded, withoutExcluded } from './excluded.ts';
import type { ExcludableColumn } from './excluded.ts';
import { typeOf } from './log-type.ts';
import type { LogsSearch } from './logs-search.ts';

interface ExcludedBarProps {
  readonly not: string;
  readonly patch: Patch<LogsSearch>;
}

const words: Record<ExcludableColumn, Message> = {
  key: m.log_key,
  model: m.log_model,
  user: m.log_user,
  channel: m.log_channel,
  type: m.log_type,
};

/** The values excluded from the loaded records; the request still covers all of them. */
export const ExcludedBar = ({ not, patch }: ExcludedBarProps) => {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3 text-13">
      <span className="text-mute" data-tip={t(m.log_without_tip)}>
        {t(m.log_without)}
      </span>
      {readExcluded(not).map((exclusion) => {
        const { column, value } = exclusion;
        const shown = column === 'type' ? t(typeOf(Number(value))[0]) : value;
        const text = t(m.log_filter_is, { name: t(words[column]), value: shown });
        return (
          <button
            key={text}
            type="button"
            aria-label={t(m.log_without_remove, { filter: text })}
            className="inline-flex h-7 max-w-full items-center gap-1 rounded-full border border-dashed border-control px-2.5 hover:bg-raised pointer-coarse:h-11"
            onClick={() => patch({ not: withoutExcluded(not, exclusion) })}
          >
            <span className="truncate line-through">{text}</span>
            <Icon name="close" className="size-3" />
          </button>
        );
      })}
    </div>
  );
};
