import { Configured } from './configured.tsx';
import { Framed } from './framed.tsx';

interface ConfiguredPageProps {
  /** An https address to show in a frame, or markdown. */
  readonly content: string;
  readonly title: string;
}

/** Adds the page's title to a text without a main heading, for screen readers. */
const hasHeading = /^#\s|<h1/im;

/** A page an administrator configured: another site in a frame, or text in a column. */
export const ConfiguredPage = ({ content, title }: ConfiguredPageProps) =>
  content.trim().startsWith('https://') ? (
    <>
      <h1 className="sr-only">{title}</h1>
      <Framed address={content.trim()} title={title} />
    </>
  ) : (
    <article className="mx-auto w-full max-w-180">
      {!hasHeading.test(content) && <h1 className="sr-only">{title}</h1>}
      <Configured text={content} as="markdown" whole />
    </article>
  );
