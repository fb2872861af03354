import { PersonalTab } from '../features/account/personal-tab.tsx';
import { matchesPersonal } from '../features/account/personal-labels.ts';
import { SettingsScreen } from '../features/settings/settings-screen.tsx';

/** `/setting`: the gateway's settings; the first tab has the settings of the own account. */
export const SettingsPage = () => <SettingsScreen Personal={PersonalTab} matchesPersonal={matchesPersonal} />;
