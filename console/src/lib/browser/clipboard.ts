/** Copies a text; false when the browser refuses, as it does on plain http from other machines. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
};

// The clipboard API exists only in secure contexts; many gateways run on plain http inside a network.
const copyBySelection = (text: string): boolean => {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'fixed top-0 opacity-0';
  const focused = document.activeElement;
  // Inside a modal dialog focus cannot leave it, so the field must be there too.
  (focused?.closest('[role=dialog],[role=alertdialog]') ?? document.body).append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way there is without a secure context
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
};
