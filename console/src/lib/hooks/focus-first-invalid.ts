/** Moves the focus to the first field of the form that has an error. */
export const focusFirstInvalid = (): void => {
  // The error must be rendered before its field can be found.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus());
};
