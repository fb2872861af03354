import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { SectionPartView } from './section-part.tsx';
import type { Control, Section } from './setting.ts';
import { SettingControl } from './setting-control.tsx';
import { useSettings } from './settings-context.ts';

/** Controls that stand two in a row where there is room. */
const narrow: readonly Control['control'][] = ['text', 'url', 'secret', 'number', 'quota', 'theme'];

/** One group of settings: switches save themselves, the button saves the rest. */
export const SectionCard = ({ section }: { readonly section: Section }) => {
  const t = useT();
  const { readOnly, exists, save, unsaved } = useSettings();
  const [busy, setBusy] = useState(false);
  const settings = section.settings.filter(({ key }) => exists(key));
  const keys = settings.map(({ key }) => key);
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
              {t(section.title)}
            </a>
          </h2>
          {section.text && <p className="mt-0.5 text-13 text-mute">{t(section.text)}</p>}
        </header>
        {settings.length > 0 && (
          <div className="grid grid-cols-2 gap-5 max-lg:grid-cols-1">
            {settings.map((setting) => (
              <div key={setting.key} className={narrow.includes(setting.control) ? 'min-w-0' : 'col-span-full min-w-0'}>
                <SettingControl setting={setting} />
              </div>
            ))}
          </div>
        )}
        {section.part && <SectionPartView part={section.part} />}
        {section.save && !readOnly && (
          <div>
            <Button type="submit" sends look="primary" busy={busy} disabled={!waiting}>
              {t(section.save)}
            </Button>
          </div>
        )}
      </form>
    </section>
  );
};
