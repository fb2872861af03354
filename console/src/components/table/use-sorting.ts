import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';

interface LastMove<Item> {
  readonly item: Item;
  readonly index: number;
}

const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Rows of one height that the user reorders: dragged by a handle, or moved with the arrow keys while the handle has the
 * focus. `lastMove` is the last move, for screen readers.
 */
export const useSorting = <Item>(items: readonly Item[], onOrder: (items: readonly Item[]) => void) => {
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [lastMove, setLastMove] = useState<LastMove<Item>>();
  const refocus = useRef<number>(undefined);
  // A row that moves in the page loses the focus of its handle.
  useLayoutEffect(() => {
    if (refocus.current === undefined) return;
    list.current?.children[refocus.current]?.querySelector('button')?.focus();
    refocus.current = undefined;
  });
  const move = (from: number, to: number): void => {
    const item = items[from];
    if (item === undefined || to === from || to < 0 || to >= items.length) return;
    onOrder(items.toSpliced(from, 1).toSpliced(to, 0, item));
    setLastMove({ item, index: to });
  };
  const onPointerMove = ({ clientY, currentTarget }: PointerEvent<HTMLUListElement>): void => {
    if (dragged === undefined) return;
    const { top, height } = currentTarget.getBoundingClientRect();
    const to = Math.max(0, Math.min(Math.floor(((clientY - top) / height) * items.length), items.length - 1));
    if (to === dragged) return;
    move(dragged, to);
    setDragged(to);
  };
  const end = (): void => setDragged(undefined);
  return {
    lastMove,
    list: { ref: list, onPointerMove, onPointerUp: end, onPointerCancel: end },
    item: (index: number) => ({ 'data-dragged': dragged === index || undefined }),
    handle: (index: number) => ({
      onPointerDown: ({ pointerId, button }: PointerEvent<HTMLButtonElement>): void => {
        if (button !== 0) return;
        // Keeps the scroll position while the rows move.
        list.current?.setPointerCapture(pointerId);
        setDragged(index);
      },
      onKeyDown: (event: KeyboardEvent<HTMLButtonElement>): void => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        refocus.current = Math.max(0, Math.min(index + step, items.length - 1));
        move(index, index + step);
      },
    }),
  };
};
