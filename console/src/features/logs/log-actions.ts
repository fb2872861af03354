import { copyText } from '../../lib/clipboard.ts';
import { formatTime } from '../../lib/format.ts';
import { toast } from '../../lib/toasts.ts';
import { m } from '../../paraglide/messages.js';
import type { LogRow } from './log-row.ts';

const copy = async (text: string): Promise<void> => {
  if (text === '') return;
  const copied = await copyText(text);
  toast(copied ? 'success' : 'warning', copied ? m.copied() : m.copy_refused());
};

export const copyRequest = ({ request_id: id }: LogRow): void => void copy(id);

export const nameOfLog = ({ created_at: at, request_id: id }: LogRow): string => id || formatTime(at);
