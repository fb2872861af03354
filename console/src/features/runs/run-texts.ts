import type { Run } from '@weir/contract/limits/runs';
import type { Tone } from '../../components/text/badge.tsx';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

/** Whether a run takes calls, and why not. */
export const endTexts: Readonly<Record<Run['end'], Message>> = {
  '': m.run_open,
  stopped: m.run_ended,
  time: m.run_end_time,
  calls: m.run_end_calls,
};

export const endTone = ({ end }: Pick<Run, 'end'>): Tone => (end === '' ? 'ok' : 'off');
