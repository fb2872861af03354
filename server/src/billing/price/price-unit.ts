import type { priceUnits } from '@weir/contract/prices/pricing';

const images = /^(?:dall-e|gpt-image|cogview|wanx|imagen-)|stable-diffusion|(?:^|\/)(?:flux|ideogram|recraft)-/;
const speech = /^tts-|-tts$/;

/** The unit that a model of this name is usually priced in: tokens of text, images, or characters of speech. */
export const priceUnit = (model: string): (typeof priceUnits)[number] => {
  if (images.test(model)) return 'image';
  return speech.test(model) ? 'character' : 'token';
};
