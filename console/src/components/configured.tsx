import { useEffect, useRef } from 'react';

interface ConfiguredProps {
  readonly text: string;
  /** HTML as it is, or markdown. */
  readonly as: 'html' | 'markdown';
  readonly className?: string;
}

/** Content an administrator wrote. The parser and the sanitiser arrive with the first of it. */
export const Configured = ({ text, as, className = 'prose' }: ConfiguredProps) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let current = true;
    void import('./sanitized.ts').then(({ sanitizedHtml, sanitizedMarkdown }) => {
      if (current) place.current?.replaceChildren(as === 'html' ? sanitizedHtml(text) : sanitizedMarkdown(text));
    });
    return () => {
      current = false;
    };
  }, [text, as]);
  return <div ref={place} className={className} />;
};
