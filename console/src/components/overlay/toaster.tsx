import { useEffect, useState } from 'react';
import { copyText } from '../../lib/browser/clipboard.ts';
import { useStore } from '../../lib/store.ts';
import { closeToast, closesItself, markToastsSeen, toastDurations, toasts } from '../../lib/toasts.ts';
import type { Toast, ToastKind } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Configured } from '../text/configured.tsx';
import { Icon } from '../icon.tsx';
import type { IconName } from '../icon.tsx';
import { IconButton } from '../icon-button.tsx';

const looks: Record<ToastKind, readonly [icon: IconName, colour: string]> = {
  success: ['check', 'text-ok'],
  info: ['info', 'text-brand'],
  error: ['alert', 'text-bad'],
  warning: ['alert', 'text-warn'],
  notice: ['info', 'text-brand'],
};

const detailsOf = ({ text }: Toast): string => `${text}\n${location.pathname}\n${new Date().toISOString()}`;

const ToastCard = ({ toast }: { readonly toast: Toast }) => {
  const t = useT();
  // A toast does not time out under the pointer or with focus inside.
  const [held, setHeld] = useState(false);
  const [copied, setCopied] = useState(false);
  const { id, kind } = toast;
  useEffect(() => {
    if (held || !closesItself(kind)) return;
    const timer = setTimeout(closeToast, toastDurations[kind], id);
    return () => clearTimeout(timer);
  }, [held, id, kind]);
  const [icon, colour] = looks[kind];
  return (
    <div
      // The surrounding region is polite; a failure interrupts.
      role={kind === 'error' ? 'alert' : undefined}
      data-kind={kind}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex w-full animate-rise items-start gap-2.5 rounded-card bg-panel py-2.5 pr-1.5 pl-3 shadow-float"
    >
      <Icon name={icon} className={`mt-0.5 size-4.5 ${colour}`} />
      {kind === 'notice' ? (
        <Configured text={toast.text} as="html" className="prose min-w-0 flex-1 py-px" />
      ) : (
        <p className="min-w-0 flex-1 py-px wrap-anywhere whitespace-pre-line first-letter:uppercase">{toast.text}</p>
      )}
      {kind === 'error' && (
        <IconButton
          icon={copied ? 'check' : 'copy'}
          label={t(copied ? m.copied : m.copy_details)}
          className="-my-1 size-7"
          onClick={() => void copyText(detailsOf(toast)).then(setCopied)}
        />
      )}
      <IconButton icon="close" label={t(m.close)} className="-my-1 size-7" onClick={() => closeToast(id)} />
    </div>
  );
};

/**
 * Top right, below the bar and below open menus; top centre at 600 px and narrower (specification §9). A live region also stays readable and clickable
 * while a dialog makes the rest of the page inert.
 */
export const Toaster = () => {
  const t = useT();
  const shown = useStore(toasts);
  useEffect(() => {
    const presses = ['pointerdown', 'keydown'] as const;
    for (const press of presses) document.addEventListener(press, markToastsSeen, true);
    return () => {
      for (const press of presses) document.removeEventListener(press, markToastsSeen, true);
    };
  }, []);
  return (
    <section
      aria-label={t(m.messages)}
      aria-live="polite"
      className="pointer-events-none fixed top-15 right-4 z-60 flex w-90 flex-col gap-2 max-phone:right-1/2 max-phone:w-[calc(100vw-24px)] max-phone:translate-x-1/2"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
};
