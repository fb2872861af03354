import { copyAloud } from '../../../lib/browser/copy-aloud.ts';
import { formatTime } from '../../../lib/format/format.ts';
import type { LogRow } from './log-row.ts';

export const copyRequest = ({ request_id: id }: LogRow): void => {
  if (id !== '') void copyAloud(id);
};

export const nameOfLog = ({ created_at: at, request_id: id }: LogRow): string => id || formatTime(at);
