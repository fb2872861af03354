import { Icon } from '../../../components/icon.tsx';
import { splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelPartProps } from './channel-part-props.ts';
import { TypeCell } from '../list/channel-cells.tsx';
import { keysIn } from './channel-values.ts';

/** Summary beside the form: what saving creates, and what is missing. */
export const ChannelSummary = ({ values, secret }: ChannelPartProps) => {
  const t = useT();
  const models = splitList(values.models).length;
  const { count } = keysIn(secret.key);
  const missing = [
    values.name.trim() === '' && t(m.channel_summary_name),
    !secret.stored && count === 0 && t(m.channel_summary_key),
    models === 0 && t(m.channel_summary_models),
  ].filter((text) => text !== false);
  return (
    <div className="flex flex-col gap-3 rounded-card border border-line bg-raised p-4 text-13">
      <h2 className="font-semibold">{t(m.channel_summary)}</h2>
      <TypeCell type={values.type} />
      {!secret.stored && <p>{secret.batch ? t(m.channel_summary_count, { count }) : t(m.channel_summary_one)}</p>}
      {models > 0 && <p>{t(m.channel_summary_serves, { models, groups: splitList(values.groups).join(', ') })}</p>}
      {missing.length > 0 ? (
        <div>
          <p className="text-mute">{t(m.channel_summary_missing)}</p>
          <ul className="mt-1 list-disc pl-4">
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      ) : (
        <p className="flex items-center gap-1.5 text-ok">
          <Icon name="check" />
          {t(m.channel_summary_ready)}
        </p>
      )}
    </div>
  );
};
