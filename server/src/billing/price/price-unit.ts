import type { priceUnits } from '@weir/contract/pricing';

const images = /^(?:dall-e|gpt-image|cogview|wanx|imagen-)|stable-diffusion|(?:^|\/)(?:flux|ideogram|recraft)-/;
const speech = /^tts-|-tts$/;

/** What a model of this name is usually asked for: text, images, or speech, which costs by the characters to say. */
export const priceUnit = (model: string): (typeof priceUnits)[number] => {
  if (images.test(model)) return 'image';
  return speech.test(model) ? 'character' : 'token';
};
