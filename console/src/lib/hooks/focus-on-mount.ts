/** For `ref`: focuses the first field once, when it appears. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus();
