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
