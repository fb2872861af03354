import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { HumanCheck } from '../../../components/identity/human-check.tsx';
import { useHuman } from '../../../lib/hooks/use-human.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** A test of the widget with the saved site key: a wrong key would lock users out. */
export const HumanTrial = () => {
  const t = useT();
  const human = useHuman();
  const [isOpen, setOpen] = useState(false);
  if (!human.needed) return <p className="text-13 text-mute">{t(m.setting_human_off)}</p>;
  return (
    <div className="flex flex-col items-start gap-2">
      {isOpen ? (
        <div className="w-80 max-w-full">
          <HumanCheck human={human} />
        </div>
      ) : (
        <Button icon="play" onClick={() => setOpen(true)}>
          {t(m.setting_human_try)}
        </Button>
      )}
      <p role="status" className="text-13 text-ok empty:hidden">
        {human.token !== '' && t(m.setting_human_works)}
      </p>
    </div>
  );
};
