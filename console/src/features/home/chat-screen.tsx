import { buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Framed } from '../../components/text/framed.tsx';
import { Icon } from '../../components/icon.tsx';
import { useStatus } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { m } from '../../paraglide/messages.js';

/** `/chat`: the chat app that the administrator configured, in a frame; offered only if one is set. */
export const ChatScreen = () => {
  const t = useT();
  const { chat_link: link = '' } = useStatus();
  useTitle(t(m.nav_chat));
  if (!/^https?:\/\//.test(link))
    return (
      <>
        <h1 className="sr-only">{t(m.nav_chat)}</h1>
        <Empty icon="chat" title={t(m.chat_none)} text={t(m.chat_none_text)} />
      </>
    );
  return (
    <>
      <div className="-mt-6 flex min-h-10 items-center justify-between gap-3">
        <h1 className="text-13 text-mute">{t(m.nav_chat)}</h1>
        <a className={buttonClass('quiet', 'h-8 px-2 text-13')} href={link} target="_blank" rel="noopener noreferrer">
          <Icon name="external" />
          {t(m.chat_open)}
        </a>
      </div>
      <Framed address={link} title={t(m.nav_chat)} className="min-h-[calc(100dvh-150px)]" />
    </>
  );
};
