import { expect, test } from 'vitest';
import { providerCall } from '../../../test/provider-suite/provider-call.ts';
import { parseBaseUrl } from '../base-url.ts';
import { tencent } from './tencent.ts';

const { embedder } = tencent;
const channel = {
  base: parseBaseUrl('https://hunyuan.tencentcloudapi.com'),
  key: '1|AKIDEXAMPLE|SECRETEXAMPLE',
  other: '',
};

test('PROVIDER-23 signs the action of embeddings', () => {
  const embedding = { texts: ['hi'], dimensions: null, packed: false };
  const request = embedder?.request(embedding, providerCall({ now: 1_700_000_000_999 }), channel);
  expect(request).toMatchObject({ path: '/', body: Buffer.from('{"InputList":["hi"]}') });
  const headers = request !== undefined && 'headers' in request ? request.headers : [];
  expect(headers.at(-1)).toMatch(/e36a397f6cdc15158f5faef1f7606b65fb0a1fc34e32a444946abcf6a0e0b060$/);
});

test('PROVIDER-23 reads embeddings in the order of their texts, and failures with a success status', () => {
  const data = [
    { Index: 1, Embedding: [2] },
    { Index: 0, Embedding: [1] },
  ];
  const whole = { Response: { Data: data, Usage: { PromptTokens: 3, TotalTokens: 3 } } };
  expect(embedder?.answer(Buffer.from(JSON.stringify(whole)))).toEqual({
    vectors: [[1], [2]],
    usage: { prompt: 3, completion: 0, total: 3 },
  });
  const failed = { Response: { Error: { Code: 'InvalidParameterValue.Model', Message: 'no' } } };
  expect(embedder?.answer(Buffer.from(JSON.stringify(failed)))).toMatchObject({ failure: { status: 404 } });
  expect(embedder?.answer(Buffer.from('{"Response":{"Data":[{"Embedding":"x"}]}}'))).toMatchObject({
    failure: { status: 502 },
  });
});
