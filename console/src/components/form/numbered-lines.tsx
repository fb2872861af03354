import { useRef } from 'react';
import type { ComponentProps } from 'react';
import { controlClass } from './input.tsx';

/** A text area with line numbers, so that an error can be found by its line. Tab moves the focus on. */
export const NumberedLines = ({
  value,
  rows = 6,
  ...rest
}: ComponentProps<'textarea'> & { readonly value: string }) => {
  const numbers = useRef<HTMLPreElement>(null);
  const count = value.split('\n').length;
  return (
    <div className="relative overflow-hidden rounded-control">
      <pre
        ref={numbers}
        aria-hidden="true"
        className="absolute inset-y-px left-px w-10 overflow-hidden rounded-l-control border-r border-line bg-raised py-1.5 pr-1.5 text-right font-mono text-13 text-mute select-none"
      >
        {Array.from({ length: count }, (_, line) => line + 1).join('\n')}
      </pre>
      <textarea
        {...rest}
        value={value}
        rows={rows}
        wrap="off"
        spellCheck={false}
        onScroll={({ currentTarget }) => numbers.current && (numbers.current.scrollTop = currentTarget.scrollTop)}
        className={`${controlClass} block min-h-24 py-1.5 pl-12 font-mono text-13 pointer-coarse:text-16`}
      />
    </div>
  );
};
