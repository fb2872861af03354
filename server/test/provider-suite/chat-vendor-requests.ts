import { expect } from 'vitest';
import type { Json } from '../parsing/json.ts';
import { pixel } from '../clients/dialect-client.ts';
import type { VendorFormat } from './vendor-fixtures.ts';

type CheckRequest = VendorFormat['checkRequest'];

const text = ({ messages }: Json) => expect(messages).toContainEqual({ role: 'user', content: 'How is Paris?' });
const tools = (body: Json) =>
  expect(body['tools']).toMatchObject([{ type: 'function', function: { name: 'get_weather' } }]);
const results = ({ messages }: Json) => expect(messages).toMatchObject([{}, {}, {}, { role: 'tool', content: '18C' }]);
const image = ({ messages }: Json) => expect(JSON.stringify(messages)).toContain(`data:image/png;base64,${pixel}`);

const json: Readonly<Record<'schema' | 'object' | 'words', (body: Json) => void>> = {
  schema: (body) => expect(body['response_format']).toMatchObject({ type: 'json_schema' }),
  object: (body) => expect(body['response_format']).toEqual({ type: 'json_object' }),
  // A client's own `json_object` is forwarded unchanged.
  words: (body) => {
    if (body['response_format'] === undefined) expect(JSON.stringify(body['messages'])).toContain('JSON Schema');
  },
};

/** Request checks for a vendor of OpenAI's format; `form`: the response formats that it supports. */
export const chatRequestChecks = (form: keyof typeof json, images: 'images' | 'texts'): CheckRequest => ({
  text,
  tools,
  results,
  json: json[form],
  ...(images === 'images' && { image }),
});
