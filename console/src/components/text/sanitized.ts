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

/** Configured HTML without anything that runs, styles the page or submits forms. */
export const sanitizedHtml = (html: string): DocumentFragment =>
  DOMPurify.sanitize(html, {
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
