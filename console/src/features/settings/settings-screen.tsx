import type { ReactNode } from 'react';
import { PageHead } from '../../components/page-head.tsx';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';

interface SettingsScreenProps {
  /** The tab about one's own account. */
  readonly personal: ReactNode;
}

/** `/setting` */
export const SettingsScreen = ({ personal }: SettingsScreenProps) => {
  const t = useT();
  return (
    <div className="mx-auto w-full max-w-220">
      <PageHead title={t(m.setting_title)} />
      {personal}
    </div>
  );
};
