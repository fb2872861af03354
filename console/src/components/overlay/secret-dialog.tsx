import { Dialog } from '@base-ui/react/dialog';
import { useReturnFocus } from '../../lib/hooks/use-return-focus.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';
import { CopyField } from '../text/copy-field.tsx';

interface SecretDialogProps {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  /** Name of the secret. */
  readonly label: string;
  readonly copyLabel: string;
  readonly onClose: () => void;
}

/** Shows a secret that was made just now. A click beside the dialog does not close it. */
export const SecretDialog = ({ title, text, secret, label, copyLabel, onClose }: SecretDialogProps) => {
  const t = useT();
  const before = useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={(open, { reason }) => !open && reason !== 'outside-press' && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-55 bg-veil" />
        <Dialog.Popup
          finalFocus={before}
          className="fixed top-[max(16px,12dvh)] left-1/2 z-56 flex w-[min(440px,calc(100vw-32px))] -translate-x-1/2 flex-col gap-4 rounded-dialog bg-panel p-5 shadow-float outline-none"
        >
          <Dialog.Title className="text-16 font-semibold wrap-anywhere">{title}</Dialog.Title>
          <Dialog.Description className="text-mute">{text}</Dialog.Description>
          <CopyField text={secret} label={label} copyLabel={copyLabel} />
          <Button look="primary" className="self-end" onClick={onClose}>
            {t(m.done)}
          </Button>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
