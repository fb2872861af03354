import { useEffect, useRef } from 'react';
import { useLanguage } from '../../lib/browser/locale.ts';
import { useStatus } from '../../lib/api/status.ts';
import { toast } from '../../lib/toasts.ts';
import { loadTurnstile } from '../../lib/browser/turnstile.ts';
import type { Human } from '../../lib/hooks/use-human.ts';
import { m } from '../../paraglide/messages.js';

/** The human-verification widget of a form, if the gateway requires it. Its space is reserved while it loads. */
export const HumanCheck = ({ human }: { readonly human: Human }) => {
  const { turnstile_site_key: siteKey = '', turnstile_url: url } = useStatus();
  const language = useLanguage();
  const { needed, onToken } = human;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const container = host.current;
    if (container === null || siteKey === '') return;
    let over = false;
    let remove: (() => void) | undefined;
    loadTurnstile(url).then(
      (turnstile) => {
        if (over) return;
        const id = turnstile.render(container, {
          sitekey: siteKey,
          language: language === 'zh' ? 'zh-CN' : 'en',
          theme: document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light',
          size: 'flexible',
          callback: onToken,
          'expired-callback': () => onToken(''),
        });
        remove = () => turnstile.remove(id);
      },
      () => toast('error', m.human_check_missing()),
    );
    return () => {
      over = true;
      remove?.();
    };
  }, [needed, siteKey, url, language, onToken]);
  return needed ? <div ref={host} className="min-h-[65px]" /> : null;
};
