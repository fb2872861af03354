import { tokenUsersMax } from '@weir/contract/managed-tokens';
import type { TokenOfUser } from '@weir/contract/managed-tokens';
import { tokenDefaults } from '@weir/contract/tokens';
import { useState } from 'react';
import { Button, buttonClass } from '../../../components/button.tsx';
import { DoneMark } from '../../../components/done-mark.tsx';
import { Field } from '../../../components/form/field.tsx';
import { FormButtons } from '../../../components/form/form-buttons.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { Textarea } from '../../../components/form/textarea.tsx';
import { CodeBlock } from '../../../components/text/code-block.tsx';
import { downloadText, toCsv } from '../../../lib/format/csv.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { focusFirstInvalid } from '../../../lib/hooks/focus-first-invalid.ts';
import { m } from '../../../paraglide/messages.js';
import { TokenFields } from '../form/token-fields.tsx';
import { valuesOf } from '../form/token-values.ts';
import type { TokenValues } from '../form/token-values.ts';
import { useTokenForm } from '../form/use-token-form.ts';
import { PresetSelect } from '../presets/preset-select.tsx';
import { createForUsers } from './managed-queries.ts';
import { namesIn } from './names-in.ts';

interface ManyValues extends TokenValues {
  /** As typed. */
  readonly usernames: string;
}

const initial: ManyValues = {
  ...valuesOf({ name: '', ...tokenDefaults, models: '', subnet: '' }),
  usernames: '',
};

/** `/user/new-keys`: one token for each user of a list. */
export const ManyScreen = () => {
  const t = useT();
  const [values, setValues] = useState(initial);
  const [made, setMade] = useState<readonly TokenOfUser[]>();
  const [namesError, setNamesError] = useState<string>();
  const names = namesIn(values.usernames);
  const { errors, busy, submit } = useTokenForm({
    values,
    initial,
    save: async (fields) => {
      const tokens = await createForUsers(names, fields);
      saveKeys(fields.name, tokens);
      setMade(tokens);
    },
  });
  const send = (): void => {
    const isListed = names.length > 0 && names.length <= tokenUsersMax;
    setNamesError(isListed ? undefined : t(m.token_users_number, { max: tokenUsersMax }));
    if (!isListed) focusFirstInvalid();
    // An empty name blocks the form without a message (specification §5).
    else if (values.name.trim() !== '') submit();
  };
  if (made) return <KeysReady name={values.name.trim()} tokens={made} />;
  return (
    <FormFrame
      title={t(m.token_many_title)}
      onSubmit={send}
      footer={<FormButtons cancelPath="/user" verb={t(m.create)} busy={busy} />}
    >
      <Field label={t(m.token_users)} error={namesError} hint={t(m.token_users_hint, { count: names.length })}>
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            spellCheck={false}
            autoComplete="off"
            value={values.usernames}
            onChange={(event) => setValues({ ...values, usernames: event.target.value })}
          />
        )}
      </Field>
      <PresetSelect onPick={(changes) => setValues({ ...values, ...changes })} />
      <TokenFields
        values={values}
        errors={errors}
        foreign
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
    </FormFrame>
  );
};

const linesOf = (tokens: readonly TokenOfUser[]) => tokens.map(({ username, key }) => [username, `sk-${key}`] as const);

const saveKeys = (name: string, tokens: readonly TokenOfUser[]): void =>
  downloadText(`${name}.csv`, toCsv(['username', 'key'], linesOf(tokens)), 'text/csv');

interface KeysReadyProps {
  readonly name: string;
  readonly tokens: readonly TokenOfUser[];
}

/** The only time that an administrator sees the whole keys. */
const KeysReady = ({ name, tokens }: KeysReadyProps) => {
  const t = useT();
  return (
    <FormFrame
      title={name}
      footer={
        <>
          <Button icon="download" onClick={() => saveKeys(name, tokens)}>
            {t(m.token_many_download)}
          </Button>
          <a className={buttonClass('primary')} href="/user">
            {t(m.done)}
          </a>
        </>
      }
    >
      <DoneMark title={t(m.token_many_ready, { count: tokens.length })} text={t(m.token_many_ready_text)} />
      <CodeBlock
        title={t(m.token_many_keys)}
        code={linesOf(tokens)
          .map((line) => line.join(' '))
          .join('\n')}
      />
    </FormFrame>
  );
};
