import type { UsagePart } from '@weir/contract/prices/usage-parts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

export const partLabels: Record<UsagePart, Message> = {
  cache_read: m.price_part_cache_read,
  cache_write: m.price_part_cache_write,
  cache_write_1h: m.price_part_cache_write_1h,
  audio_prompt: m.price_part_audio_prompt,
  image_prompt: m.price_part_image_prompt,
  reasoning: m.price_part_reasoning,
  audio_completion: m.price_part_audio_completion,
  image_completion: m.price_part_image_completion,
};
