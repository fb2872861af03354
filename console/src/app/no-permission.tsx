import { buttonClass } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { useTitle } from '../lib/hooks/use-title.ts';
import { useT } from '../lib/hooks/use-t.ts';
import { m } from '../paraglide/messages.js';

export const NoPermission = () => {
  const t = useT();
  useTitle(t(m.no_permission));
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-20 text-center">
      <Icon name="alert" className="size-8 text-mute" />
      <h1 className="text-20 font-semibold">{t(m.no_permission)}</h1>
      <p className="text-mute">{t(m.no_permission_text)}</p>
      <a className={buttonClass('plain')} href="/">
        {t(m.go_home)}
      </a>
    </div>
  );
};
