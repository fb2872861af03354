import { vendorOf } from '@weir/contract/catalogue/vendors';
import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { PasswordInput } from '../../../components/form/password-input.tsx';
import { Switch } from '../../../components/form/switch.tsx';
import { Textarea } from '../../../components/form/textarea.tsx';
import { focusOnMount } from '../../../lib/hooks/focus-on-mount.ts';
import { useStatus } from '../../../lib/api/status.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { fieldsOfType } from './vendor-fields.ts';
import type { FieldTexts } from './vendor-fields.ts';
import type { ChannelPartProps } from './channel-part-props.ts';
import { withMember } from './channel-config-text.ts';
import { hasSeveralKeys, keysIn } from './channel-values.ts';

/** Name, key or keys, address, and the extra fields of the type. */
export const CredentialsPart = (props: ChannelPartProps) => {
  const { values, secret, problem, onChange, onBatch } = props;
  const t = useT();
  const ours = useStatus().build !== undefined;
  const several = hasSeveralKeys(values);
  const { baseUrl, other } = fieldsOfType(values.type);
  const missing = problem === 'incomplete' && values.name.trim() === '';
  return (
    <>
      <Field
        label={t(m.channel_name)}
        hint={secret.batch ? t(m.channel_name_prefix_hint) : undefined}
        error={missing ? t(m.channel_incomplete) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            ref={focusOnMount}
            value={values.name}
            autoComplete="off"
            maxLength={256}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      {secret.batch || several ? <KeysField {...props} /> : <KeyField {...props} />}
      {secret.batchAllowed && !several && (
        <Switch label={t(m.channel_batch)} hint={t(m.channel_batch_hint)} on={secret.batch} onFlip={onBatch} />
      )}
      {ours && !secret.batch && (
        <Switch
          label={t(m.channel_multi_key)}
          hint={t(m.channel_multi_key_hint)}
          on={several}
          onFlip={(on) => onChange({ config: withMember(values.config, 'multi_key', on ? true : undefined) })}
        />
      )}
      <VendorField
        field={baseUrl}
        value={values.baseUrl}
        placeholder={vendorOf(values.type)?.baseUrl ?? ''}
        onChange={(url) => onChange({ baseUrl: url })}
      />
      {other && (
        <VendorField
          field={other}
          value={values.other}
          placeholder=""
          onChange={(value) => onChange({ other: value })}
        />
      )}
    </>
  );
};

const useKeyHint = (type: number): string | undefined => {
  const t = useT();
  const form = vendorOf(type)?.keyHint;
  return form ? t(m.channel_key_hint, { form }) : undefined;
};

/** Said once: where the name is missing too, it is said there. */
const keyMissing = ({ values, problem, secret }: ChannelPartProps): boolean =>
  problem === 'incomplete' && secret.key.trim() === '' && values.name.trim() !== '';

const KeyField = (props: ChannelPartProps) => {
  const { values, secret, onKey } = props;
  const t = useT();
  const hint = useKeyHint(values.type);
  return (
    <Field label={t(m.channel_key)} hint={hint} error={keyMissing(props) ? t(m.channel_incomplete) : undefined}>
      {(control) => (
        <PasswordInput
          {...control}
          value={secret.key}
          autoComplete="new-password"
          spellCheck={false}
          placeholder={t(secret.stored ? m.channel_key_keep : m.channel_key_placeholder)}
          onChange={(event) => onKey(event.target.value)}
        />
      )}
    </Field>
  );
};

const KeysField = (props: ChannelPartProps) => {
  const { values, secret, onKey } = props;
  const t = useT();
  const hint = useKeyHint(values.type);
  const { count, doubles } = keysIn(secret.key);
  const aside = [t(m.channel_keys_count, { count }), doubles > 0 ? t(m.channel_keys_double, { count: doubles }) : '']
    .filter(Boolean)
    .join(', ');
  return (
    <Field
      label={t(m.channel_keys)}
      hint={hint}
      error={keyMissing(props) ? t(m.channel_incomplete) : undefined}
      aside={<span className={`text-12 ${doubles > 0 ? 'text-warn' : 'text-mute'}`}>{aside}</span>}
    >
      {(control) => (
        <Textarea
          {...control}
          rows={5}
          value={secret.key}
          autoComplete="off"
          spellCheck={false}
          placeholder={secret.stored ? t(m.channel_key_keep) : ''}
          className="font-mono text-13"
          onChange={(event) => onKey(event.target.value)}
        />
      )}
    </Field>
  );
};

interface ExtraProps {
  readonly field: FieldTexts;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}

const VendorField = ({ field, value, placeholder, onChange }: ExtraProps) => {
  const t = useT();
  return (
    <Field label={t(field.label)} hint={field.hint ? t(field.hint) : undefined}>
      {(control) => (
        <Input
          {...control}
          value={value}
          placeholder={field.placeholder ?? placeholder}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
};
