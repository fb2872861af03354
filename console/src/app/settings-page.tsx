import { SettingsScreen } from '../features/settings/settings-screen.tsx';
import { buttonClass } from '../components/button.tsx';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';

/** `/setting`: the settings of the gateway and, as their first tab, those of one's own account. */
export const SettingsPage = () => {
  const t = useT();
  return (
    <SettingsScreen
      personal={
        <a className={buttonClass('plain')} href="/user/edit">
          {t(m.setting_profile)}
        </a>
      }
    />
  );
};
