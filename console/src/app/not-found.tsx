import { Button, buttonClass } from '../components/button.tsx';
import { useTitle } from '../lib/hooks/use-title.ts';
import { useT } from '../lib/hooks/use-t.ts';
import { m } from '../paraglide/messages.js';

export const NotFound = () => {
  const t = useT();
  useTitle('404');
  return (
    <div className="flex flex-col items-center gap-4 px-6 py-20 text-center">
      <h1 className="text-20 font-semibold">{t(m.not_found)}</h1>
      <p className="font-mono text-13 text-mute wrap-anywhere">{location.pathname}</p>
      <div className="flex gap-2">
        <Button onClick={() => history.back()}>{t(m.back)}</Button>
        <a className={buttonClass('primary')} href="/">
          {t(m.nav_home)}
        </a>
      </div>
    </div>
  );
};
