import { useContext } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import { IconButton } from './icon-button.tsx';
import { SheetFrame } from './sheet-frame.ts';

interface FormFrameProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons, the last one submits. */
  readonly footer: ReactNode;
  readonly onSubmit?: () => void;
}

/** A form in the sheet it was opened in, or as a page of its own; Ctrl or ⌘ with Enter submits from any field. */
export const FormFrame = ({ title, children, footer, onSubmit }: FormFrameProps) => {
  const t = useT();
  const sheet = useContext(SheetFrame);
  useTitle(title);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit?.();
  };
  const Title = sheet?.Title ?? 'h1';
  return (
    <form
      noValidate
      onSubmit={submit}
      onKeyDown={(event) =>
        event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.currentTarget.requestSubmit()
      }
      className={sheet ? 'flex min-h-0 flex-1 flex-col' : 'mx-auto flex w-full max-w-160 flex-col'}
    >
      <div className={`flex items-center justify-between ${sheet ? 'border-b border-line py-3 pr-3 pl-5' : 'pb-4'}`}>
        <Title className={`font-semibold ${sheet ? 'text-16' : 'text-20'}`}>{title}</Title>
        {sheet && <IconButton icon="close" label={t(m.close)} onClick={sheet.close} />}
      </div>
      <div
        className={`flex flex-col gap-5 ${sheet ? 'flex-1 overflow-y-auto p-5' : 'rounded-card border border-line bg-panel p-5'}`}
      >
        {children}
      </div>
      <div
        className={`flex justify-end gap-2 ${sheet ? 'border-t border-line px-5 py-3' : 'sticky bottom-0 z-10 bg-bg py-4'}`}
      >
        {footer}
      </div>
    </form>
  );
};
