import type { KeyboardEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { Textarea } from '../../components/form/textarea.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

interface ComposerProps {
  readonly prompt: string;
  readonly onType: (prompt: string) => void;
  readonly running: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

/** The next prompt: Enter sends it, Shift and Enter begin a line. */
export const Composer = ({ prompt, onType, running, onSend, onStop }: ComposerProps) => {
  const t = useT();
  const send = (): void => {
    if (!running && prompt.trim() !== '') onSend();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes a word, it handles Enter.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="sticky bottom-0 z-10 flex items-end gap-2 bg-bg py-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        aria-label={t(m.play_prompt)}
        placeholder={t(m.play_prompt_hint)}
        rows={2}
        value={prompt}
        className="max-h-60 min-h-16! flex-1"
        onChange={({ target }) => onType(target.value)}
        onKeyDown={onKeyDown}
      />
      {running ? (
        <Button icon="pause" onClick={onStop}>
          {t(m.stop)}
        </Button>
      ) : (
        <Button type="submit" sends look="primary" icon="play" disabled={prompt.trim() === ''}>
          {t(m.play_send)}
        </Button>
      )}
    </form>
  );
};
