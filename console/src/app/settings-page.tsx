import { PersonalTab } from '../features/account/personal-tab.tsx';
import { personalSays } from '../features/account/personal-words.ts';
import { SettingsScreen } from '../features/settings/settings-screen.tsx';

/** `/setting`: the settings of the gateway and, as their first tab, those of one's own account. */
export const SettingsPage = () => <SettingsScreen Personal={PersonalTab} personalSays={personalSays} />;
