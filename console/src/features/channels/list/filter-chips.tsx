import { Icon } from '../../../components/icon.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Translate } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelFiltersProps } from './channel-filters.tsx';
import type { ChannelsSearch } from './channels-search.ts';

const wordsOf = (t: Translate, { group, model, took }: ChannelsSearch) =>
  [
    ['group', group && t(m.channel_filter_group, { group })],
    ['model', model && t(m.channel_filter_model, { model })],
    [
      'took',
      took && t(took.startsWith('<') ? m.channel_filter_within : m.channel_filter_over, { seconds: took.slice(1) }),
    ],
  ] as const;

/** The active filters, each with a remove button. */
export const FilterChips = ({ search, patch }: ChannelFiltersProps) => {
  const t = useT();
  const chips = wordsOf(t, search).filter(([, words]) => words);
  return (
    <div role="group" aria-label={t(m.channel_filters)} className="-mt-1 flex flex-wrap items-center gap-2 pb-3">
      {chips.map(([member, words = '']) => (
        <button
          key={member}
          type="button"
          aria-label={t(m.remove_named, { name: words })}
          className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-full bg-off-bg px-3 text-13 pointer-coarse:h-10"
          onClick={() => patch({ [member]: undefined, p: undefined })}
        >
          <span className="truncate">{words}</span>
          <Icon name="close" className="size-3" />
        </button>
      ))}
    </div>
  );
};
