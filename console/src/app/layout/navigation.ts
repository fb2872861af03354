import { can } from '@weir/contract/roles';
import { useCapabilities } from '../../lib/api/capabilities.ts';
import { useUser } from '../../lib/api/session.ts';
import { useStatus } from '../../lib/api/status.ts';
import { screens } from '../screens.ts';
import type { NavItem, Screen } from '../screen.ts';

export interface NavEntry extends NavItem {
  readonly path: string;
}

const chat = '/chat';

const toEntry = ({ path, nav }: Screen): NavEntry[] => (nav ? [{ path, ...nav }] : []);

/** The entries of the navigation for the current visitor. */
export const useNavEntries = (): readonly NavEntry[] => {
  const user = useUser();
  const { chat_link: chatLink } = useStatus();
  const capabilities = useCapabilities();
  return screens
    .filter(({ path, access, optional, nav }) => {
      if ((optional && !capabilities) || (path === chat && !chatLink)) return false;
      return nav?.forVisitors || can(user?.role, access);
    })
    .flatMap(toEntry);
};
