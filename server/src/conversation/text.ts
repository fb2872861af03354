/** The texts of the parts that have one, put together; `between` separates them. */
export const joinTexts = (parts: readonly { readonly kind: string; readonly text?: string }[], between = ''): string =>
  parts
    .map((part) => (part.kind === 'text' ? (part.text ?? '') : ''))
    .filter((text) => text !== '')
    .join(between);
