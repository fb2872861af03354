import DOMPurify from 'dompurify';
import { marked } from 'marked';

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (!(node instanceof HTMLAnchorElement) || !node.hasAttribute('href')) return;
  // Links an administrator wrote lead away; what they open must not reach back.
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

/** The same with main headings as headings of the second rank: a page has one main heading, and it is not in here. */
export const withLowerHeadings = (content: DocumentFragment): DocumentFragment => {
  for (const heading of content.querySelectorAll('h1')) {
    const lower = document.createElement('h2');
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  return content;
};
