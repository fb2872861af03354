import { PersonalTab } from '../features/account/personal-tab.tsx';
import { matchesPersonal } from '../features/account/personal-labels.ts';
import { SettingsScreen } from '../features/settings/settings-screen.tsx';

/** `/setting`: the settings of the gateway and, as their first tab, those of one's own account. */
export const SettingsPage = () => <SettingsScreen Personal={PersonalTab} matchesPersonal={matchesPersonal} />;
