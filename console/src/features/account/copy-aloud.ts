import { copyText } from '../../lib/clipboard.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';

/** Copies a value that also stands on the screen, and says so, or that it has to be copied by hand. */
export const copyAloud = async (text: string, copied: string): Promise<void> => {
  if (await copyText(text)) toast('success', copied);
  else toast('warning', m.copy_refused());
};
