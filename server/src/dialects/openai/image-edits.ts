import type { RequestHead, Dialect, Inbound, ReadFault } from '../dialect.ts';
import { formReader, type FormRules, readWholeForm } from '../scan/form.ts';
import { defaultImageModel, meterImages, readImages } from './images.ts';
import { openAiErrors } from './openai-errors.ts';

const wanted = new Set(['model', 'prompt', 'n', 'size', 'quality', 'stream']);

/** A field as the JSON of the same name would be; an empty one counts as none. */
const numberIn = (text: string | undefined): unknown => (text === undefined || text === '' ? undefined : Number(text));
const truthIn = (text: string | undefined): boolean => text !== undefined && text !== '' && text !== 'false';

/** The price of images depends on the fields, so all fields are read before the call starts. */
const rulesFor = (needs: 'prompt' | 'no prompt'): FormRules => ({
  wanted,
  files: ['image', 'image[]'],
  defaultModel: defaultImageModel,
  facts: (model, field) => {
    const metered = meterImages({
      prompt: needs === 'prompt' ? (field('prompt') ?? null) : undefined,
      stream: truthIn(field('stream')),
      size: field('size') || undefined,
      quality: field('quality') || undefined,
      n: numberIn(field('n')),
    });
    return typeof metered === 'function' ? { model, outputLimit: 0, metered } : metered;
  },
});

const isJson = ({ contentType }: RequestHead): boolean => /^application\/json\b/i.test(contentType);

const editRules = rulesFor('prompt');
const readEdit = (body: Buffer, head: RequestHead): Inbound | ReadFault =>
  isJson(head) ? readImages(body) : readWholeForm(editRules, body, head);

/** `POST /v1/images/edits`: a form, or JSON that names its images (provider notes 19.8). */
export const openAiImageEdits: Dialect = {
  format: 'openai-image-edits',
  headers: [],
  read: readEdit,
  form: (head) => (isJson(head) ? null : formReader(editRules, head)),
  errors: openAiErrors,
};

const variationRules = rulesFor('no prompt');

/** `POST /v1/images/variations`. */
export const openAiImageVariations: Dialect = {
  ...openAiImageEdits,
  format: 'openai-image-variations',
  read: (body, head) => readWholeForm(variationRules, body, head),
  form: (head) => formReader(variationRules, head),
};
