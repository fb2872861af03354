import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

const rangesIn = (root: Node, query: string): Range[] => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + query.length);
      ranges.push(range);
    }
  }
  return ranges;
};

/**
 * Highlights every occurrence of a text within an element, as `::highlight(found)`. The browser paints it: labels stay
 * plain texts, and a screen reader reads them in one piece. Browsers without the API show no highlight.
 */
export const useHighlight = (text: string): RefObject<HTMLDivElement | null> => {
  const root = useRef<HTMLDivElement>(null);
  const query = text.trim().toLowerCase();
  useEffect(() => {
    const element = root.current;
    if (element === null || query === '' || !('highlights' in CSS)) return;
    const mark = (): void => void CSS.highlights.set('found', new Highlight(...rangesIn(element, query)));
    mark();
    const watcher = new MutationObserver(mark);
    watcher.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      watcher.disconnect();
      CSS.highlights.delete('found');
    };
  }, [query]);
  return root;
};
