import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';

const key = randomBytes(32);
const secrets = createSecrets(key);
const location = 'channels/key/7';

test('what was sealed opens again, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      expect(secrets.open(secrets.seal(text, context), context)).toBe(text);
    }),
  );
});

test('sealing twice gives two texts, neither of which shows the secret', () => {
  const sealed = [secrets.seal('sk-canary', location), secrets.seal('sk-canary', location)];
  expect(sealed[0]).not.toBe(sealed[1]);
  for (const text of sealed) {
    expect(text).not.toContain('canary');
    expect(Buffer.from(text.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('canary');
  }
});

test('a sealed text opens in no other row, column or table', () => {
  const sealed = secrets.seal('secret', location);
  for (const other of ['channels/key/8', 'channels/config/7', 'tokens/key/7', '', `${location} `]) {
    expect(() => secrets.open(sealed, other)).toThrow();
  }
});

test('any changed character is refused', () => {
  const sealed = secrets.seal('secret', location);
  for (let at = 0; at < sealed.length; at += 1) {
    for (const other of ['A', 'z', '.', '']) {
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      // The last character of base64url may carry bits that do not count.
      if (changed === sealed || (at === sealed.length - 1 && other !== '')) continue;
      expect(() => secrets.open(changed, location), changed).toThrow();
    }
  }
  expect(() => secrets.open('', location)).toThrow();
});

test('another key opens nothing and finds nothing', () => {
  const other = createSecrets(randomBytes(32));
  const sealed = secrets.seal('secret', location);
  expect(() => other.open(sealed, location)).toThrow('another key');
  expect(other.digest('secret')).not.toBe(secrets.digest('secret'));
  expect(other.fingerprint).not.toBe(secrets.fingerprint);
});

test('the same key finds the same text, and only that', () => {
  const again = createSecrets(Buffer.from(key));
  expect(again.digest('secret')).toBe(secrets.digest('secret'));
  expect(secrets.digest('secret')).toMatch(/^[0-9a-f]{64}$/);
  expect(secrets.digest('secret ')).not.toBe(secrets.digest('secret'));
  expect(again.fingerprint).toBe(secrets.fingerprint);
  expect(key.toString('hex')).not.toContain(secrets.fingerprint);
});

test('a short key is refused', () => {
  expect(() => createSecrets(randomBytes(31))).toThrow('32 bytes');
});
