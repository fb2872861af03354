import { callSeconds, callSecondsMax, costFactorMax } from '@weir/contract/config-values';
import { Field } from '../../../components/form/field.tsx';
import { Input } from '../../../components/form/input.tsx';
import { Switch } from '../../../components/form/switch.tsx';
import { useStatus } from '../../../lib/api/status.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { configMembers, withMember, wrongMembers } from './channel-config-text.ts';
import type { ChannelPartProps } from './channel-part-props.ts';

const times: readonly (readonly [keyof typeof callSeconds, Message, Message])[] = [
  ['first_byte_seconds', m.channel_first_byte, m.channel_first_byte_hint],
  ['idle_seconds', m.channel_idle, m.channel_idle_hint],
  ['total_seconds', m.channel_total, m.channel_total_hint],
];

/** A value that is no number is replaced when one is typed. */
const numberText = (value: unknown): string => (typeof value === 'number' ? String(value) : '');

/** As it was typed, or as another client wrote it. */
const factorText = (value: unknown): string => (typeof value === 'string' ? value : numberText(value));

interface CostFieldProps extends Pick<ChannelPartProps, 'onChange'> {
  readonly config: string;
  readonly wrong: boolean;
}

const CostField = ({ config, wrong, onChange }: CostFieldProps) => {
  const t = useT();
  return (
    <Field
      label={t(m.channel_cost_factor)}
      hint={t(m.channel_cost_factor_hint)}
      error={wrong ? t(m.channel_cost_factor_invalid, { max: costFactorMax }) : undefined}
    >
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          placeholder="1"
          value={factorText(configMembers(config)['cost_factor'])}
          onChange={({ target: { value } }) =>
            onChange({ config: withMember(config, 'cost_factor', value === '' ? undefined : value.trim()) })
          }
        />
      )}
    </Field>
  );
};

/** Channel settings that only this gateway has: time-outs, its cost, a proxy, and sticky keys. */
export const ConfigPart = ({ values, problem, onChange }: ChannelPartProps) => {
  const t = useT();
  if (useStatus().build === undefined) return null;
  const { config } = values;
  const members = configMembers(config);
  const wrong = problem === 'config' ? wrongMembers(config) : new Set<string>();
  return (
    <>
      <div className="grid grid-cols-3 gap-4 max-phone:grid-cols-1">
        {times.map(([name, label, hint]) => (
          <Field
            key={name}
            label={t(label)}
            hint={t(hint)}
            error={wrong.has(name) ? t(m.channel_config_invalid) : undefined}
          >
            {(control) => (
              <Input
                {...control}
                type="number"
                min="1"
                max={callSecondsMax}
                step="1"
                placeholder={String(callSeconds[name])}
                value={numberText(members[name])}
                onChange={({ target: { value } }) =>
                  onChange({ config: withMember(config, name, value === '' ? undefined : Number(value)) })
                }
              />
            )}
          </Field>
        ))}
      </div>
      <CostField config={config} wrong={wrong.has('cost_factor')} onChange={onChange} />
      <Field label={t(m.channel_proxy)} hint={t(m.channel_proxy_hint)}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            placeholder="http://user:password@proxy.example.com:3128"
            value={typeof members['proxy'] === 'string' ? members['proxy'] : ''}
            onChange={({ target: { value } }) =>
              onChange({ config: withMember(config, 'proxy', value === '' ? undefined : value) })
            }
          />
        )}
      </Field>
      <Switch
        label={t(m.channel_affinity)}
        hint={t(m.channel_affinity_hint)}
        on={members['affinity'] !== false}
        onFlip={(on) => onChange({ config: withMember(config, 'affinity', on ? undefined : false) })}
      />
    </>
  );
};
