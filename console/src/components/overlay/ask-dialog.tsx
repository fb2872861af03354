import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { focusOnMount } from '../../lib/hooks/focus-on-mount.ts';
import { useReturnFocus } from '../../lib/hooks/use-return-focus.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';
import { Field } from '../form/field.tsx';
import { Input } from '../form/input.tsx';
import type { Question } from './overlays.ts';

interface AskDialogProps {
  readonly question: Question;
  /** The text, trimmed and not empty; undefined if the dialog was cancelled. */
  readonly onAnswer: (text: string | undefined) => void;
  readonly onClosed: () => void;
}

const lengthMax = 60;

export const AskDialog = ({ question, onAnswer, onClosed }: AskDialogProps) => {
  const t = useT();
  const before = useReturnFocus();
  const [open, setOpen] = useState(true);
  const [text, setText] = useState('');
  const settle = (answer: string | undefined): void => {
    onAnswer(answer);
    setOpen(false);
  };
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => !next && settle(undefined)}
      onOpenChangeComplete={(shown) => !shown && onClosed()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-55 bg-veil" />
        <Dialog.Popup
          finalFocus={before}
          className="fixed top-[max(16px,18dvh)] left-1/2 z-56 w-[min(440px,calc(100vw-32px))] -translate-x-1/2 rounded-dialog bg-panel p-5 shadow-float outline-none"
        >
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (text.trim() !== '') settle(text.trim());
            }}
          >
            <Dialog.Title className="text-16 font-semibold">{question.title}</Dialog.Title>
            <Field label={question.label}>
              {(control) => (
                <Input
                  {...control}
                  ref={focusOnMount}
                  value={text}
                  maxLength={lengthMax}
                  autoComplete="off"
                  onChange={(event) => setText(event.target.value)}
                />
              )}
            </Field>
            <div className="flex justify-end gap-2">
              <Button onClick={() => settle(undefined)}>{t(m.cancel)}</Button>
              <Button type="submit" look="primary">
                {question.verb}
              </Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
