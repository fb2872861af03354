import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly title: string;
  readonly code: string;
  /** The text to copy if it differs from the text shown: a key is only shown on demand. */
  readonly copied?: string;
}

/** Code with a copy button. */
export const CodeBlock = ({ title, code, copied = code }: CodeBlockProps) => {
  const t = useT();
  return (
    <figure className="overflow-hidden rounded-card border border-line bg-raised">
      <figcaption className="flex items-center justify-between border-b border-line py-1 pr-1 pl-3 text-13 text-mute">
        {title}
        <CopyButton text={copied} label={t(m.copy_named, { name: title })} />
      </figcaption>
      <pre tabIndex={0} aria-label={title} className="overflow-x-auto p-3 font-mono text-12 leading-5">
        {code}
      </pre>
    </figure>
  );
};
