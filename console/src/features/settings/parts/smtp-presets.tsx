import { Chips } from '../../../components/form/chips.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { useSettings } from '../settings-context.ts';

/** Servers and ports as the providers name them in their own instructions. */
const presets = [
  ['Gmail', 'smtp.gmail.com', '587'],
  ['Outlook', 'smtp.office365.com', '587'],
  ['QQ', 'smtp.qq.com', '587'],
  ['163', 'smtp.163.com', '465'],
] as const;

/** Fills in server and port; account and password must be typed. */
export const SmtpPresets = () => {
  const t = useT();
  const { readOnly, text, type } = useSettings();
  if (readOnly) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-13 text-mute">{t(m.setting_presets)}</span>
      <Chips
        label={t(m.setting_presets)}
        choices={presets.map(([name, server, port]) => ({
          text: name,
          pressed: text('SMTPServer') === server,
          pick: () => {
            type('SMTPServer', server);
            type('SMTPPort', port);
          },
        }))}
      />
    </div>
  );
};
