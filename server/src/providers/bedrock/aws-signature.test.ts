import { expect, test } from 'vitest';
import { awsEncoded, signAws } from './aws-signature.ts';

const signatureOf = (method: string, more: Partial<Parameters<typeof signAws>[0]> = {}): string =>
  signAws({
    accessKey: 'AKIDEXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
    method,
    path: '/',
    now: Date.parse('2015-08-30T12:36:00Z'),
    payload: '',
    ...more,
    headers: { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z', ...more.headers },
  });

/** Source: AWS Signature Version 4 test suite, the cases without a query. */
const vectors: readonly (readonly [name: string, given: string, signature: string])[] = [
  ['get-vanilla', signatureOf('GET'), '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['post-vanilla', signatureOf('POST'), '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ['get-utf8', signatureOf('GET', { path: '/ሴ' }), '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85'],
  [
    'get-header-key-duplicate',
    signatureOf('GET', { headers: { 'my-header1': 'value2,value2,value1' } }),
    'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  ],
  [
    'get-header-value-multiline',
    signatureOf('GET', { headers: { 'my-header1': 'value1,value2,value3' } }),
    'ba17b383a53190154eb5fa66a1b836cc297cc0a3d70a5d00705980573d8ff790',
  ],
  [
    'post-x-www-form-urlencoded',
    signatureOf('POST', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'Param1=value1',
    }),
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
];

test.each(vectors)('PROVIDER-33 signs as the vendor published it: %s', (_, given, signature) => {
  const scope = 'AKIDEXAMPLE/20150830/us-east-1/service/aws4_request';
  expect(given).toMatch(
    new RegExp(`^AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=[a-z0-9;-]+, Signature=${signature}$`),
  );
});

test('an object of S3 is signed as the vendor published it: its path is encoded once', () => {
  const payload = 'Welcome to Amazon S3.';
  const authorization = signAws({
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 's3',
    method: 'PUT',
    path: '/test$file.text',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      'x-amz-date': '20130524T000000Z',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    now: Date.parse('2013-05-24T00:00:00Z'),
    payload,
  });
  expect(authorization).toMatch(/Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/);
});

test('PROVIDER-33 names of models are encoded to the last sign', () => {
  expect(awsEncoded("anthropic.claude-v2:1/!'()*~_-")).toBe('anthropic.claude-v2%3A1%2F%21%27%28%29%2A~_-');
});
