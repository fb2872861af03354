import { CopyField } from '../../../components/text/copy-field.tsx';
import { trimSlash } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { useSettings } from '../settings-context.ts';

/** The callback address to enter at the code host when the application is created there. */
export const CodeHostCallback = () => {
  const t = useT();
  const { stored } = useSettings();
  const address = trimSlash(stored('ServerAddress')) || location.origin;
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-13 font-medium">{t(m.setting_callback)}</span>
      <CopyField
        text={`${address}/oauth/github`}
        label={t(m.setting_callback)}
        copyLabel={t(m.copy_named, { name: t(m.setting_callback) })}
      />
      <p className="text-12 text-mute">{t(m.setting_callback_hint)}</p>
    </div>
  );
};
