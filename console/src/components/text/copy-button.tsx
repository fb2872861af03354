import { useEffect, useState } from 'react';
import { copyText } from '../../lib/browser/clipboard.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import { IconButton } from '../icon-button.tsx';
import type { IconName } from '../icon.tsx';

const checkMs = 1500;

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** The toast; absent: the plain one. */
  readonly done?: string;
  /** What to do with the text when the browser refuses the clipboard. */
  readonly onRefused?: (text: string) => void;
  readonly className?: string;
  /** What is copied, where it is not the value beside the button. */
  readonly icon?: IconName;
}

/** Copies and says so twice: a check in place for those who look at it, the toast for everybody else. */
export const CopyButton = ({ text, label, done, onRefused, className, icon = 'copy' }: CopyButtonProps) => {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(setCopied, checkMs, false);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    if (await copyText(text)) {
      setCopied(true);
      toast('success', done ?? m.copied());
      return;
    }
    toast('warning', m.copy_refused());
    onRefused?.(text);
  };
  return (
    <IconButton
      icon={copied ? 'check' : icon}
      label={label}
      className={`${copied ? 'text-ok' : ''} ${className ?? ''}`}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    />
  );
};
