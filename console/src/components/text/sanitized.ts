import DOMPurify from 'dompurify';
import { marked } from 'marked';

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (!(node instanceof HTMLAnchorElement) || !node.hasAttribute('href')) return;
  // Links that an administrator wrote open other sites, which must get no access to this window.
  node.target = '_blank';
  node.rel = 'noopener noreferrer';
});

/** http, https, mailto, and addresses without a scheme: paths, queries, fragments. */
const webOrMail = /^(?:https?:|mailto:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i;

/** Bounded, so that no text takes long to search. */
const tag = /<([a-z][\w-]*)((?:"[^"]{0,2000}"|'[^']{0,2000}'|[^"'<>]){1,500})>/gi;
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>`]+))?/g;
const isReported = (name: string): boolean => /^(?:on.|style$)/i.test(name);

/**
 * The sanitiser drops event handlers and styles, but the browser reports each as a violation of the page's policy while
 * it parses them. So they are taken out of the text first, as far as it is well written.
 */
const withoutHandlers = (html: string): string =>
  html.replace(tag, (_, element: string, rest: string) => {
    const kept = rest.replace(attribute, (whole, name: string) => (isReported(name) ? '' : whole));
    return `<${element}${kept}>`;
  });

/** Configured HTML without anything that runs, styles the page or submits forms. */
export const sanitizedHtml = (html: string): DocumentFragment =>
  DOMPurify.sanitize(withoutHandlers(html), {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: ['style', 'form', 'input', 'button'],
    FORBID_ATTR: ['style'],
    ALLOWED_URI_REGEXP: webOrMail,
  });

/** Configured markdown, which may hold HTML. */
export const sanitizedMarkdown = (text: string): DocumentFragment =>
  sanitizedHtml(marked.parse(text, { async: false }));

/** The same with main headings lowered to level two: the page already has its main heading. */
export const withLowerHeadings = (content: DocumentFragment): DocumentFragment => {
  for (const heading of content.querySelectorAll('h1')) {
    const lower = document.createElement('h2');
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  return content;
};
