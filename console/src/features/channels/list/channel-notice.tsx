import { useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { readText, writeText } from '../../../lib/browser/storage.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

const flag = 'prompt-channel';

/** Help for frequent questions about this list, collapsed to one line; hidden for good once dismissed. */
export const ChannelNotice = () => {
  const t = useT();
  const [dismissed, setDismissed] = useState(() => readText(flag) === 'true');
  const [open, setOpen] = useState(false);
  if (dismissed) return null;
  const dismiss = (): void => {
    writeText(flag, 'true');
    setDismissed(true);
  };
  return (
    <div className="mb-3 flex items-center gap-2 rounded-control border border-line bg-raised py-1 pr-1 pl-3 text-13">
      <Icon name="info" className="size-4 text-mute" />
      <p className="flex-1 py-1">
        {open ? t(m.channel_notice_more) : t(m.channel_notice)}{' '}
        {!open && (
          <button
            type="button"
            className="min-h-6 font-medium text-brand underline-offset-2 hover:underline"
            onClick={() => setOpen(true)}
          >
            {t(m.channel_notice_why)}
          </button>
        )}
      </p>
      <IconButton icon="close" label={t(m.channel_notice_dismiss)} className="size-7" onClick={dismiss} />
    </div>
  );
};
