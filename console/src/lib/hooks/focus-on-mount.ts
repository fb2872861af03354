/** For `ref`: the field where work begins takes the focus once, when it appears. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus();
