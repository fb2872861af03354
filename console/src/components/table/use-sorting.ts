import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';

interface LastMove<Item> {
  readonly item: Item;
  readonly place: number;
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
    setLastMove({ item, place: to });
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
    item: (place: number) => ({ 'data-dragged': dragged === place || undefined }),
    handle: (place: number) => ({
      onPointerDown: ({ pointerId, button }: PointerEvent<HTMLButtonElement>): void => {
        if (button !== 0) return;
        // Keeps the scroll position while the rows move.
        list.current?.setPointerCapture(pointerId);
        setDragged(place);
      },
      onKeyDown: (event: KeyboardEvent<HTMLButtonElement>): void => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        refocus.current = Math.max(0, Math.min(place + step, items.length - 1));
        move(place, place + step);
      },
    }),
  };
};
