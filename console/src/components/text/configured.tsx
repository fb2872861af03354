import { useEffect, useRef } from 'react';

interface ConfiguredProps {
  readonly text: string;
  /** HTML, or markdown. */
  readonly as: 'html' | 'markdown';
  /** The text is the page: its first heading is the page's. Otherwise its headings are one level lower. */
  readonly whole?: true;
  readonly className?: string;
}

/** Content that an administrator wrote. The parser and the sanitiser load with the first use. */
export const Configured = ({ text, as, whole, className = 'prose' }: ConfiguredProps) => {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let current = true;
    void import('./sanitized.ts').then(({ sanitizedHtml, sanitizedMarkdown, withLowerHeadings }) => {
      const content = as === 'html' ? sanitizedHtml(text) : sanitizedMarkdown(text);
      if (current) container.current?.replaceChildren(whole ? content : withLowerHeadings(content));
    });
    return () => {
      current = false;
    };
  }, [text, as, whole]);
  return <div ref={container} className={className} />;
};
