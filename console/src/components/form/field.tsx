import { useId } from 'react';
import type { ReactNode } from 'react';

/** Attributes that connect a control to its label, hint and error. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly optional?: string;
  /** Content at the right end of the label's line. */
  readonly aside?: ReactNode;
  readonly children: (control: ControlProps) => ReactNode;
}

/** A label above a control, with hint and error under it. */
export const Field = ({ label, hint, error, optional, aside, children }: FieldProps) => {
  const id = useId();
  const describedBy = [error && `${id}e`, hint && `${id}h`].filter(Boolean).join(' ') || undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-end justify-between gap-3">
        <label htmlFor={id} className="text-13 font-medium">
          {label} {optional && <span className="font-normal text-mute">{optional}</span>}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p id={`${id}e`} className="text-13 text-bad first-letter:uppercase">
          {error}
        </p>
      )}
      {hint && (
        <div id={`${id}h`} className="text-12 text-mute first-letter:uppercase">
          {hint}
        </div>
      )}
    </div>
  );
};
