import type { FetchedModel } from '@weir/contract/channels';
import { useDeferredValue, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Checkbox } from '../../../../components/form/checkbox.tsx';
import { Input } from '../../../../components/form/input.tsx';
import { Notice } from '../../../../components/notice.tsx';
import { Sheet } from '../../../../components/overlay/sheet.tsx';
import { SheetHead } from '../../../../components/overlay/sheet-head.tsx';
import { Badge } from '../../../../components/text/badge.tsx';
import { formatTokens, ModelEnd } from '../../../../components/text/model-facts.tsx';
import { useT } from '../../../../lib/hooks/use-t.ts';
import type { Message } from '../../../../lib/hooks/use-t.ts';
import { m } from '../../../../paraglide/messages.js';
import { changeOf, chosenAtFirst, partOf, withAll, withoutAll } from './fetched-models.ts';
import type { Part } from './fetched-models.ts';

interface FetchedSheetProps {
  readonly models: readonly FetchedModel[];
  /** False: the provider lists more than was read. */
  readonly complete: boolean;
  /** The channel offers only the defaults of its type. */
  readonly automatic: boolean;
  readonly onApply: (names: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Of one part: more are found by a search. */
const shownMax = 200;

const parts: readonly (readonly [Part, Message, Message, typeof withAll])[] = [
  ['new', m.channel_fetched_new, m.channel_fetched_add_all, withAll],
  ['gone', m.channel_fetched_gone, m.channel_fetched_remove_all, withoutAll],
  ['both', m.channel_fetched_both, m.channel_fetched_remove_all, withoutAll],
];

/** What the provider lists beside what the channel offers. */
export const FetchedSheet = ({ models, complete, automatic, onApply, onClose }: FetchedSheetProps) => {
  const t = useT();
  const [chosen, setChosen] = useState(() => chosenAtFirst(models, automatic));
  const [typed, setTyped] = useState('');
  const query = useDeferredValue(typed.trim().toLowerCase());
  const found = models.filter(({ name }) => name.toLowerCase().includes(query));
  const change = changeOf(models, chosen);
  const flip = ({ name }: FetchedModel): void => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  return (
    <Sheet onClose={onClose}>
      <SheetHead title={t(m.channel_fetched_title)} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 py-4">
        {!complete && <Notice tone="warn">{t(m.channel_fetched_cut)}</Notice>}
        {models.every(({ listed }) => !listed) && <Notice tone="warn">{t(m.channel_fetched_none)}</Notice>}
        <Input
          type="search"
          aria-label={t(m.channel_fetched_search)}
          placeholder={t(m.channel_fetched_search)}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {parts.map(([part, title, action, changeAll]) => (
          <PartList
            key={part}
            title={title}
            action={part === 'both' ? undefined : action}
            models={found.filter((model) => partOf(model) === part)}
            chosen={chosen}
            onFlip={flip}
            onAll={(all) => setChosen(changeAll(chosen, all))}
          />
        ))}
        {found.length === 0 && <p className="text-mute">{t(m.channel_fetched_no_match)}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3">
        <p className="mr-auto text-13 text-mute" aria-live="polite">
          {t(m.channel_fetched_change, { added: change.added, removed: change.removed })}
        </p>
        <Button onClick={onClose}>{t(m.cancel)}</Button>
        <Button look="primary" onClick={() => onApply(change.names)}>
          {t(m.channel_fetched_apply)}
        </Button>
      </div>
    </Sheet>
  );
};

interface PartListProps {
  readonly title: Message;
  readonly action: Message | undefined;
  readonly models: readonly FetchedModel[];
  readonly chosen: ReadonlySet<string>;
  readonly onFlip: (model: FetchedModel) => void;
  readonly onAll: (models: readonly FetchedModel[]) => void;
}

const PartList = ({ title, action, models, chosen, onFlip, onAll }: PartListProps) => {
  const t = useT();
  if (models.length === 0) return null;
  return (
    <section aria-label={t(title)} className="flex flex-col gap-1">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3">
        <h3 className="flex-1 font-semibold">
          {t(title)} <span className="font-normal text-mute tabular-nums">{models.length}</span>
        </h3>
        {action && (
          <Button
            size="h-7 px-2.5 text-13 pointer-coarse:h-10"
            aria-label={`${t(action)}: ${t(title)}`}
            onClick={() => onAll(models)}
          >
            {t(action)}
          </Button>
        )}
      </div>
      <ul className="flex flex-col">
        {models.slice(0, shownMax).map((model) => (
          <ModelLine key={model.name} model={model} checked={chosen.has(model.name)} onFlip={() => onFlip(model)} />
        ))}
      </ul>
      {models.length > shownMax && (
        <p className="text-13 text-mute">{t(m.channel_fetched_more, { count: models.length - shownMax })}</p>
      )}
    </section>
  );
};

const prices: Record<FetchedModel['price'], readonly [Message, 'ok' | 'off' | 'warn']> = {
  vendor: [m.channel_priced_list, 'off'],
  maker: [m.channel_priced_list, 'off'],
  built_in: [m.channel_priced_list, 'off'],
  own: [m.channel_priced_own, 'ok'],
  ratio: [m.channel_priced_own, 'ok'],
  free: [m.channel_unpriced_badge, 'warn'],
  fallback: [m.channel_unpriced_badge, 'warn'],
};

interface ModelLineProps {
  readonly model: FetchedModel;
  readonly checked: boolean;
  readonly onFlip: () => void;
}

const ModelLine = ({ model, checked, onFlip }: ModelLineProps) => {
  const t = useT();
  const { name, sent, context, output, ends } = model;
  const [price, tone] = prices[model.price];
  const facts = [
    ...(sent === name ? [] : [t(m.channel_fetched_sent, { name: sent })]),
    ...(context === undefined ? [] : [t(m.model_context_of, { tokens: formatTokens(context) })]),
    ...(output === undefined ? [] : [t(m.model_output_of, { tokens: formatTokens(output) })]),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line py-1.5">
      <Checkbox
        label={name}
        checked={checked}
        onChange={onFlip}
        className="min-w-0 flex-1 basis-48 font-mono text-13 wrap-anywhere"
      />
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-mute">
        {facts.length > 0 && <span>{facts.join(' · ')}</span>}
        {ends !== undefined && <ModelEnd ends={ends} />}
        <Badge tone={tone}>{t(price)}</Badge>
      </span>
    </li>
  );
};
