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
  /** The toast; absent: the default one. */
  readonly done?: string;
  /** Handles a text that the browser refuses to copy. */
  readonly onRefused?: (text: string) => void;
  readonly className?: string;
  /** The icon, if the copied value is not the one beside the button. */
  readonly icon?: IconName;
}

/** Copies and confirms twice: a check mark on the button, and a toast. */
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
