import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button, buttonClass } from '../button.tsx';
import { Configured } from '../text/configured.tsx';
import { Icon } from '../icon.tsx';

export interface LongText {
  readonly title: string;
  readonly markdown: string;
  /** Link to the full text; opens in a new tab. */
  readonly link?: { readonly href: string; readonly text: string };
}

interface TextDialogProps {
  readonly text: LongText;
  readonly onClosed: () => void;
}

const TextDialog = ({ text: { title, markdown, link }, onClosed }: TextDialogProps) => {
  const t = useT();
  const [open, setOpen] = useState(true);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(shown) => !shown && onClosed()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-55 bg-veil" />
        <Dialog.Popup className="fixed top-[max(16px,12dvh)] left-1/2 z-56 flex max-h-[76dvh] w-[min(640px,calc(100vw-32px))] -translate-x-1/2 flex-col rounded-dialog bg-panel shadow-float outline-none">
          <Dialog.Title className="border-b border-line px-5 py-4 text-16 font-semibold wrap-anywhere">
            {title}
          </Dialog.Title>
          <div tabIndex={0} role="region" aria-label={title} className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
            <Configured text={markdown} as="markdown" />
          </div>
          <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
            {link && (
              <a className={buttonClass('plain')} href={link.href} target="_blank" rel="noopener">
                <Icon name="external" />
                {link.text}
              </a>
            )}
            <Button look="primary" onClick={() => setOpen(false)}>
              {t(m.close)}
            </Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

/** Shows a text from another source, written in markdown. */
export const openTextDialog = (text: LongText): void => {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  root.render(
    <TextDialog
      text={text}
      onClosed={() => {
        root.unmount();
        container.remove();
      }}
    />,
  );
};
