import { Button } from '../../components/button.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { optionKeys } from './setting.ts';
import { useSettings } from './settings-context.ts';

/** What was typed and not saved yet, by name, whatever tab it is in. */
export const UnsavedBar = () => {
  const t = useT();
  const { discard, unsaved } = useSettings();
  if (unsaved.length === 0) return null;
  const names = optionKeys.filter((key) => unsaved.includes(key)).map((key) => t(m.option_label, { key }));
  return (
    <div
      role="status"
      className="sticky bottom-3 z-10 flex flex-wrap items-center gap-3 rounded-card border border-line bg-panel py-2 pr-2 pl-4 shadow-float"
    >
      <p className="min-w-0 flex-1 truncate">
        <b className="font-semibold">{t(m.setting_unsaved, { count: names.length })}</b>{' '}
        <span className="text-mute">{names.join(', ')}</span>
      </p>
      <Button onClick={discard}>{t(m.setting_discard)}</Button>
    </div>
  );
};
