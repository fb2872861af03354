import type { Channel } from '@weir/contract/channels';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Combobox } from '../../../components/form/combobox.tsx';
import { Field } from '../../../components/form/field.tsx';
import { FormDialog } from '../../../components/overlay/form-dialog.tsx';
import { Textarea } from '../../../components/form/textarea.tsx';
import { ViewTabs } from '../../../components/view-tabs.tsx';
import { splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { copyOf, effectOn } from './model-change.ts';
import type { ModelChange, ModelEffect, ModelFields } from './model-change.ts';
import { listEvery } from '../operations.ts';

interface ModelsDialogProps {
  readonly channels: readonly Channel[];
  /** The channels that models can be copied from. */
  readonly sources: readonly Channel[];
  readonly onAnswer: (change: ModelChange | undefined) => void;
}

const labelOf = ({ id, name }: Channel): string => `${name} (${id})`;

/** Adds or removes models of several channels, with a preview of the effect on each. */
const ModelsDialog = ({ channels, sources, onAnswer }: ModelsDialogProps) => {
  const t = useT();
  const [kind, setKind] = useState<ModelChange['kind']>('add');
  const [typed, setTyped] = useState('');
  const [source, setSource] = useState<Channel>();
  const change =
    kind === 'copy' ? source && copyOf(source) : { kind, names: splitList(typed.replaceAll(/[\n，]/g, ',')) };
  const effects = change === undefined ? [] : channels.map((channel) => [channel, effectOn(channel, change)] as const);
  const isReady = effects.some(([, { fields }]) => fields !== undefined);
  const offered = [...new Set(channels.flatMap(({ models }) => splitList(models)))].sort();
  return (
    <FormDialog
      title={t(m.channel_bulk_models_title, { count: channels.length })}
      verb={t(m.channel_bulk_models_verb)}
      busy={false}
      onSubmit={() => isReady && onAnswer(change)}
      onClose={() => onAnswer(undefined)}
    >
      <ViewTabs
        label={t(m.channel_bulk_models)}
        current={kind}
        views={[
          ['add', t(m.channel_bulk_models_add)],
          ['remove', t(m.channel_bulk_models_remove)],
          ['copy', t(m.channel_bulk_models_copy)],
        ]}
        onPick={setKind}
      />
      {kind === 'copy' ? (
        <SourceField sources={sources} source={source} onPick={setSource} />
      ) : (
        <Field
          label={t(m.channel_models)}
          hint={
            kind === 'add'
              ? t(m.channel_bulk_models_hint)
              : t(m.channel_bulk_models_now, { models: offered.join(', ') })
          }
        >
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-13"
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      )}
      <Effects effects={effects} />
    </FormDialog>
  );
};

interface SourceFieldProps {
  readonly sources: readonly Channel[];
  readonly source: Channel | undefined;
  readonly onPick: (source: Channel | undefined) => void;
}

const SourceField = ({ sources, source, onPick }: SourceFieldProps) => {
  const t = useT();
  const choices = sources.map((each) => ({ value: String(each.id), label: labelOf(each) }));
  return (
    <Field label={t(m.channel_bulk_models_source)} hint={t(m.channel_bulk_models_copy_hint)}>
      {(control) => (
        <Combobox
          {...control}
          groups={[{ value: '', items: choices }]}
          value={source ? { value: String(source.id), label: labelOf(source) } : { value: '', label: '' }}
          onPick={({ value }) => onPick(sources.find(({ id }) => String(id) === value))}
        />
      )}
    </Field>
  );
};

/** The effect of the change on each channel. */
const Effects = ({ effects }: { readonly effects: readonly (readonly [Channel, ModelEffect])[] }) => {
  const t = useT();
  return (
    <div
      role="region"
      aria-label={t(m.channel_bulk_models_preview)}
      tabIndex={0}
      className="max-h-48 min-h-32 overflow-y-auto rounded-control border border-line bg-raised px-3 py-2 text-13"
    >
      <ul>
        {effects.map(([channel, effect]) => (
          <li key={channel.id} className="flex justify-between gap-4 py-0.5">
            <span className="min-w-0 truncate">{labelOf(channel)}</span>
            <Effect {...effect} />
          </li>
        ))}
      </ul>
    </div>
  );
};

const Effect = ({ added, removed, redirects, empties, fields }: ModelEffect) => {
  const t = useT();
  if (empties) return <span className="shrink-0 text-bad">{t(m.channel_bulk_models_none_left)}</span>;
  if (fields === undefined) return <span className="shrink-0 text-mute">{t(m.channel_bulk_models_same)}</span>;
  return (
    <span className="shrink-0 tabular-nums">
      {t(m.channel_bulk_models_effect, { added, removed })}
      {redirects && ` · ${t(m.channel_bulk_models_redirects)}`}
    </span>
  );
};

/** The fields to send for a channel, if any changes. */
const fieldsAfter = (channel: Channel, change: ModelChange): ModelFields | undefined => {
  const { empties, fields } = effectOn(channel, change);
  if (empties) throw new Error(m.channel_bulk_models_none_left());
  return fields;
};

/** Dialog for a change of the models of these channels; undefined if it was cancelled. */
export const askForModels = async (
  channels: readonly Channel[],
): Promise<((channel: Channel) => ModelFields | undefined) | undefined> => {
  const sources = await listEvery();
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  return new Promise((resolve) => {
    const onAnswer = (change: ModelChange | undefined): void => {
      resolve(change && ((channel) => fieldsAfter(channel, change)));
      root.unmount();
      container.remove();
    };
    root.render(<ModelsDialog channels={channels} sources={sources} onAnswer={onAnswer} />);
  });
};
