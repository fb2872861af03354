import type { Tone } from '../../components/text/badge.tsx';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

interface Band {
  readonly tone: Tone;
  readonly word: Message;
  /** Filled parts of the bar, of 4. */
  readonly bar: 0 | 1 | 2 | 3 | 4;
}

/** How a channel's last test is judged by its milliseconds; 0 is untested (specification §4). */
export const bandOf = (responseMs: number): Band => {
  if (responseMs <= 0) return { tone: 'off', word: m.channel_untested, bar: 0 };
  if (responseMs <= 1000) return { tone: 'ok', word: m.channel_band_fast, bar: 1 };
  if (responseMs <= 3000) return { tone: 'olive', word: m.channel_band_fair, bar: 2 };
  return responseMs <= 5000
    ? { tone: 'warn', word: m.channel_band_slow, bar: 3 }
    : { tone: 'bad', word: m.channel_band_poor, bar: 4 };
};

export const slowMs = 5000;
