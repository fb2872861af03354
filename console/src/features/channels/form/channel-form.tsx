import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { defaultGroup } from '@weir/contract/groups';
import { Button, buttonClass } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { Input } from '../../../components/form/input.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import { usePainted } from '../../../lib/hooks/use-painted.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { ChannelSummary } from './channel-summary.tsx';
import type { ChannelPartProps } from './channel-part-props.ts';
import { ConfigPart } from './config-part.tsx';
import { CredentialsPart } from './credentials-part.tsx';
import { MappingField } from './mapping-field.tsx';
import { ModelsPart } from './models-part.tsx';
import { ProviderPart } from './provider-part.tsx';
import { MultiSelect } from '../../../components/form/multi-select.tsx';
import { splitList } from '../../../lib/format/format.ts';
import { groupsQuery } from '../queries.ts';

const UnpricedPart = lazy(async () => ({ default: (await import('./unpriced-part.tsx')).UnpricedPart }));

const onlyDefault = [defaultGroup];

/** The groups of users that the channel serves. */
const GroupsField = ({ values, onChange }: ChannelPartProps) => {
  const t = useT();
  const { data: groups = onlyDefault } = useQuery(groupsQuery);
  return (
    <Field label={t(m.channel_groups)}>
      {(control) => (
        <MultiSelect
          {...control}
          known={groups}
          chosen={splitList(values.groups)}
          onChange={(chosen) => onChange({ groups: chosen.join(',') })}
          placeholder={t(m.channel_groups_placeholder)}
        />
      )}
    </Field>
  );
};

interface ChannelFormProps extends ChannelPartProps {
  readonly title: string;
  /** Why the system disabled the channel; absent or empty if it did not. */
  readonly reason?: string;
  /** Content above the fields. */
  readonly note?: ReactNode;
  readonly busy: 'save' | 'test' | undefined;
  readonly submit: (then: 'save' | 'test') => void;
}

export const ChannelForm = (props: ChannelFormProps) => {
  const { title, reason = '', busy, submit, values, problem } = props;
  const t = useT();
  // As first shown: a field that is emptied while it is edited must not disappear.
  const [opened] = useState(values.mapping !== '' || values.config !== '');
  const painted = usePainted(true);
  const capabilities = useCapabilities();
  return (
    <FormFrame
      title={title}
      aside={<ChannelSummary {...props} />}
      onSubmit={() => submit('save')}
      footer={
        <>
          <a className={buttonClass('plain')} href={`/channel${location.search}`}>
            {t(m.cancel)}
          </a>
          <Button sends busy={busy === 'test'} onClick={() => submit('test')}>
            {t(m.channel_save_test)}
          </Button>
          <Button type="submit" sends look="primary" busy={busy === 'save'}>
            {t(m.save)}
          </Button>
        </>
      }
    >
      {props.note}
      {reason !== '' && <Notice tone="warn">{t(m.channel_status_auto_reason, { reason })}</Notice>}
      <Section title={t(m.channel_section_provider)}>
        <ProviderPart {...props} />
      </Section>
      <Section title={t(m.channel_section_credentials)}>
        <CredentialsPart {...props} />
      </Section>
      <Section title={t(m.channel_section_models)}>
        <ModelsPart {...props} />
        {capabilities && (
          <Suspense>
            <UnpricedPart {...props} />
          </Suspense>
        )}
      </Section>
      <Section title={t(m.channel_section_routing)}>
        <RoutingPart {...props} />
      </Section>
      <details open={opened || problem === 'mapping' || problem === 'config'} className="border-t border-line pt-4">
        <summary className="min-h-6 font-semibold">{t(m.channel_section_advanced)}</summary>
        {(opened || painted) && (
          <div className="flex flex-col gap-4 pt-4">
            <MappingField {...props} />
            <ConfigPart {...props} />
          </div>
        )}
      </details>
    </FormFrame>
  );
};

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="flex flex-col gap-4 border-t border-line pt-4 first:border-t-0 first:pt-0">
    <h2 className="font-semibold">{title}</h2>
    {children}
  </section>
);

const RoutingPart = (props: ChannelPartProps) => {
  const { values, problem, onChange } = props;
  const t = useT();
  const errorOf = (field: 'priority' | 'weight') => (problem === field ? t(m.number_not_whole) : undefined);
  return (
    <>
      <GroupsField {...props} />
      <div className="grid grid-cols-2 gap-4 max-phone:grid-cols-1">
        <Field label={t(m.channel_priority)} hint={t(m.channel_priority_hint)} error={errorOf('priority')}>
          {(control) => (
            <Input
              {...control}
              type="number"
              step="1"
              value={values.priority}
              onChange={(event) => onChange({ priority: event.target.value })}
            />
          )}
        </Field>
        <Field label={t(m.channel_weight)} hint={t(m.channel_weight_hint)} error={errorOf('weight')}>
          {(control) => (
            <Input
              {...control}
              type="number"
              step="1"
              min="0"
              value={values.weight}
              onChange={(event) => onChange({ weight: event.target.value })}
            />
          )}
        </Field>
      </div>
    </>
  );
};
