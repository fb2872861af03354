import { useRef } from 'react';
import { CopyButton } from './copy-button.tsx';

interface CopyFieldProps {
  readonly text: string;
  /** Name of the value. */
  readonly label: string;
  readonly copyLabel: string;
  readonly done?: string;
}

/** A read-only value with its copy button; selected by hand when the clipboard is refused. */
export const CopyField = ({ text, label, copyLabel, done }: CopyFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-center gap-1 rounded-control border border-control bg-raised pr-1">
      <input
        ref={field}
        readOnly
        aria-label={label}
        value={text}
        onFocus={(event) => event.target.select()}
        className="h-9 min-w-0 flex-1 bg-transparent px-2.5 font-mono text-13 outline-none pointer-coarse:h-11"
      />
      <CopyButton text={text} label={copyLabel} {...(done ? { done } : {})} onRefused={() => field.current?.select()} />
    </div>
  );
};
