import { expect, test } from 'vitest';
import { signTencent } from './tencent-signature.ts';

const chat = {
  secretId: 'AKIDEXAMPLE',
  secretKey: 'SECRETEXAMPLE',
  service: 'hunyuan',
  host: 'hunyuan.tencentcloudapi.com',
  contentType: 'application/json',
  action: 'ChatCompletions',
  timestamp: 1_700_000_000,
  payload: '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}',
};

test("PROVIDER-23 reproduces the signature of the vendor SDK's own test", () => {
  const signed = signTencent({
    secretId: 'test-secret-id',
    secretKey: 'test-secret-key',
    service: 'cvm',
    host: 'cvm.tencentcloudapi.com',
    contentType: 'application/json',
    timestamp: 1_640_995_200,
    payload: '{"Action":"DescribeInstances","Version":"2017-03-12"}',
  });
  expect(signed).toMatch(/Signature=96473b50fe407833672a5d6d067238d88bb44c8abcc39ef83baa3132afbfadd3$/);
});

test('PROVIDER-23 signs the action and names what was signed', () => {
  expect(signTencent(chat)).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDEXAMPLE/2023-11-14/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, ' +
      'Signature=441d18a9be8bca81336dbd427a29c4de587af832924dee8893c55be832237e56',
  );
  const embedding = signTencent({ ...chat, action: 'GetEmbedding', payload: '{"InputList":["hi"]}' });
  expect(embedding).toMatch(/e36a397f6cdc15158f5faef1f7606b65fb0a1fc34e32a444946abcf6a0e0b060$/);
});

test('PROVIDER-23 leaves the action out of the signature where none is given', () => {
  const { action: _, ...unnamed } = chat;
  expect(signTencent(unnamed)).toMatch(/a31afea9b68e6b02c856e6632cd3b0d09e4ac56035c9d4e32978c028a704d848$/);
});
