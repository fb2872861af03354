import { useState } from 'react';
import type { ComponentType, SubmitEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { ClearLogs } from './parts/clear-logs.tsx';
import { CodeHostCallback } from './parts/code-host-callback.tsx';
import { HumanTrial } from './parts/human-trial.tsx';
import { LogoPreview } from './parts/logo-preview.tsx';
import { QrPreview } from './parts/qr-preview.tsx';
import { SmtpPresets } from './parts/smtp-presets.tsx';
import { UpdateCheck } from './parts/update-check.tsx';
import { controlOf, entryOf } from './setting.ts';
import type { Control } from './setting.ts';
import type { Section } from './sections.ts';
import { SettingControl } from './setting-control.tsx';
import { useSettings } from './settings-context.ts';

/** Special parts of a section besides its options. */
const parts: Partial<Record<Section['id'], ComponentType>> = {
  logs: ClearLogs,
  smtp: SmtpPresets,
  'code-host': CodeHostCallback,
  'chat-app': QrPreview,
  turnstile: HumanTrial,
  look: LogoPreview,
  update: UpdateCheck,
};

/** Controls that are shown two in a row if the width allows. */
const narrow: readonly Control[] = ['text', 'url', 'secret', 'number', 'quota', 'theme'];

/** One group of settings: switches save themselves, the button saves the rest. */
export const SectionCard = ({ section }: { readonly section: Section }) => {
  const t = useT();
  const { readOnly, exists, save, unsaved } = useSettings();
  const [busy, setBusy] = useState(false);
  const Part = parts[section.id];
  const keys = section.keys.filter(exists);
  const text = t(m.setting_section_text, { section: section.id });
  const waiting = keys.some((key) => unsaved.includes(key));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (busy || !waiting) return;
    setBusy(true);
    void save(keys).finally(() => setBusy(false));
  };
  const title = `section-${section.id}`;
  return (
    <section
      id={section.id}
      aria-labelledby={title}
      className="scroll-mt-18 rounded-card border border-line bg-panel p-5 max-md:p-4"
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <header>
          <h2 id={title} className="text-16 font-semibold">
            <a href={`#${section.id}`} className="hover:underline">
              {t(m.setting_section, { section: section.id })}
            </a>
          </h2>
          {text && <p className="mt-0.5 text-13 text-mute">{text}</p>}
        </header>
        {keys.length > 0 && (
          <div className="grid grid-cols-2 gap-5 max-lg:grid-cols-1">
            {keys.map((key) => (
              <div key={key} className={narrow.includes(controlOf(entryOf(key))) ? 'min-w-0' : 'col-span-full min-w-0'}>
                <SettingControl name={key} />
              </div>
            ))}
          </div>
        )}
        {Part && <Part />}
        {section.saves && !readOnly && (
          <div>
            <Button type="submit" sends look="primary" busy={busy} disabled={!waiting}>
              {t(m.setting_save, { section: section.id })}
            </Button>
          </div>
        )}
      </form>
    </section>
  );
};
