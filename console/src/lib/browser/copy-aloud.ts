import { m } from '../../paraglide/messages.js';
import { copyText } from './clipboard.ts';
import { toast } from '../toasts.ts';

/** Copies a value and shows a toast; false: the browser refused, and it has to be copied by hand. */
export const copyAloud = async (text: string, copied = m.copied()): Promise<boolean> => {
  const done = await copyText(text);
  toast(done ? 'success' : 'warning', done ? copied : m.copy_refused());
  return done;
};
