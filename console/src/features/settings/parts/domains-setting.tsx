import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Input } from '../../../components/form/input.tsx';
import { onEnter } from '../../../lib/hooks/on-enter.ts';
import { splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { SettingProps } from '../setting.ts';
import { useSettings } from '../settings-context.ts';

const domainsIn = (text: string): string[] =>
  text
    .split(/[\s,，;]+/)
    .map((domain) => domain.replace(/^@/, '').toLowerCase())
    .filter(Boolean);

/** The accepted e-mail domains: added one by one or pasted, without duplicates; saved together. */
export const DomainsSetting = ({ name }: SettingProps) => {
  const t = useT();
  const { readOnly, text, type } = useSettings();
  const domains = splitList(text(name));
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label={t(m.option_label, { key: name })} className="flex flex-wrap gap-1.5">
        {domains.map((domain) => (
          <li key={domain} className="flex h-7 items-center rounded-control bg-off-bg pl-2 text-13 pointer-coarse:h-10">
            <span className="max-w-60 truncate">{domain}</span>
            <button
              type="button"
              disabled={readOnly}
              aria-label={t(m.remove_named, { name: domain })}
              className="inline-flex size-7 items-center justify-center rounded-control opacity-70 hover:opacity-100 pointer-coarse:size-10"
              onClick={() => type(name, domains.filter((each) => each !== domain).join(','))}
            >
              <Icon name="close" className="size-3" />
            </button>
          </li>
        ))}
        {domains.length === 0 && <li className="text-mute">{t(m.setting_domains_none)}</li>}
      </ul>
      {!readOnly && <AddDomain domains={domains} onChange={(next) => type(name, next.join(','))} />}
    </div>
  );
};

interface AddDomainProps {
  readonly domains: readonly string[];
  readonly onChange: (domains: readonly string[]) => void;
}

const AddDomain = ({ domains, onChange }: AddDomainProps) => {
  const t = useT();
  const [typed, setTyped] = useState('');
  const [double, setDouble] = useState('');
  const add = (): void => {
    const added = domainsIn(typed);
    setDouble(added.find((domain) => domains.includes(domain)) ?? '');
    if (added.every((domain) => domains.includes(domain))) return;
    onChange([...new Set([...domains, ...added])]);
    setTyped('');
  };
  return (
    <Field
      label={t(m.setting_domain_add)}
      hint={t(m.setting_domain_hint)}
      error={double ? t(m.setting_domain_double, { domain: double }) : undefined}
    >
      {(control) => (
        <span className="flex gap-2">
          <Input
            {...control}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            placeholder="example.com"
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onEnter(add)}
          />
          <Button onClick={add} disabled={typed.trim() === ''}>
            {t(m.setting_add)}
          </Button>
        </span>
      )}
    </Field>
  );
};
