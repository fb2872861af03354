import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, useState } from 'react';
import { onEnter } from '../../lib/hooks/on-enter.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button, buttonClass } from '../button.tsx';
import { Field } from '../form/field.tsx';
import { Input } from '../form/input.tsx';
import type { Confirmation } from './overlays.ts';

interface ConfirmDialogProps {
  readonly confirmation: Confirmation;
  readonly onAnswer: (goAhead: boolean) => void;
  readonly onClosed: () => void;
}

/** Focus starts on Cancel, so that Enter does not confirm by accident. */
export const ConfirmDialog = ({ confirmation, onAnswer, onClosed }: ConfirmDialogProps) => {
  const t = useT();
  const [open, setOpen] = useState(true);
  const cancel = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const settle = (goAhead: boolean): void => {
    onAnswer(goAhead);
    setOpen(false);
  };
  const goAhead = (): void => {
    if (confirmation.typed && typed.trim() !== confirmation.typed.word) setProblem(confirmation.typed.mismatch);
    else settle(true);
  };
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => !next && settle(false)}
      onOpenChangeComplete={(shown) => !shown && onClosed()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-55 bg-veil" />
        <AlertDialog.Popup
          initialFocus={cancel}
          className="fixed top-[max(16px,18dvh)] left-1/2 z-56 flex max-h-[80dvh] w-[min(440px,calc(100vw-32px))] -translate-x-1/2 flex-col gap-3 rounded-dialog bg-panel p-5 shadow-float outline-none"
        >
          <AlertDialog.Title className="text-16 font-semibold wrap-anywhere">{confirmation.title}</AlertDialog.Title>
          <AlertDialog.Description className="text-mute wrap-anywhere">{confirmation.text}</AlertDialog.Description>
          {confirmation.list && <Affected names={confirmation.list} label={confirmation.title} />}
          {confirmation.typed && (
            <Field label={confirmation.typed.label} error={problem}>
              {(control) => (
                <Input
                  {...control}
                  value={typed}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => setTyped(event.target.value)}
                  onKeyDown={onEnter(goAhead)}
                />
              )}
            </Field>
          )}
          <div className="mt-2 flex justify-end gap-2">
            <button ref={cancel} type="button" className={buttonClass('plain')} onClick={() => settle(false)}>
              {t(m.cancel)}
            </button>
            <Button
              look={confirmation.danger ? 'danger' : 'primary'}
              sends={confirmation.danger ?? false}
              onClick={goAhead}
            >
              {confirmation.verb}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};

const Affected = ({ names, label }: { readonly names: readonly string[]; readonly label: string }) => (
  <ul
    tabIndex={0}
    aria-label={label}
    className="max-h-40 overflow-y-auto rounded-control border border-line bg-raised px-3 py-2 text-13"
  >
    {names.map((name, index) => (
      <li key={index} className="truncate">
        {name}
      </li>
    ))}
  </ul>
);
