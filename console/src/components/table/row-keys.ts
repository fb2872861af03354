export type RowAction =
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'select' | 'open' | 'copy' | 'menu' };

interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The effect of a key on the active row of a list (design 5.3); undefined: none. */
export const keyAction = (
  { key, ctrlKey, metaKey, altKey }: Key,
  index: number,
  count: number,
): RowAction | undefined => {
  if (ctrlKey || metaKey || altKey) return undefined;
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return { kind: 'move', to: Math.min(index + 1, count - 1) };
    case 'ArrowUp':
    case 'k':
      return { kind: 'move', to: Math.max(index - 1, 0) };
    case 'Home':
      return { kind: 'move', to: 0 };
    case 'End':
      return { kind: 'move', to: count - 1 };
    case 'x':
    // With Shift, which selects a range.
    case 'X':
      return { kind: 'select' };
    case 'Enter':
    case 'e':
      return { kind: 'open' };
    case 'c':
      return { kind: 'copy' };
    case '.':
    case 'ContextMenu':
      return { kind: 'menu' };
    default:
      return undefined;
  }
};
