import { Configured } from './configured.tsx';

interface ConfiguredPageProps {
  /** An https address to frame, or markdown. */
  readonly content: string;
  readonly title: string;
}

/** A text without a main heading gets the page's title as one, for those who cannot see the layout. */
const hasHeading = /^#\s|<h1/im;

/** Another site may keep its own storage; a page of this origin must not reach the session of whoever looks at it. */
const permissionsOf = (address: string): string => {
  const foreign = URL.canParse(address) && new URL(address).origin !== location.origin;
  return `allow-scripts allow-forms allow-popups${foreign ? ' allow-same-origin' : ''}`;
};

/** A page an administrator configured: another site in a frame, or text in a column. */
export const ConfiguredPage = ({ content, title }: ConfiguredPageProps) =>
  content.startsWith('https://') ? (
    <iframe
      src={content}
      title={title}
      sandbox={permissionsOf(content)}
      className="-mx-6 -mt-6 min-h-[calc(100dvh-120px)] flex-1 border-0 max-md:-mx-4"
    />
  ) : (
    <article className="mx-auto w-full max-w-180">
      {!hasHeading.test(content) && <h1 className="sr-only">{title}</h1>}
      <Configured text={content} as="markdown" />
    </article>
  );
