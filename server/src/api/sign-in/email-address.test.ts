import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import type { Options } from '../../store/options.ts';
import { acceptEmailAddress, readEmailAddress } from './email-address.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  [' Ada.Lovelace+news@Example.COM ', 'ada.lovelace+news@example.com'],
  ["o'brien_1@mail-2.example.co.uk", "o'brien_1@mail-2.example.co.uk"],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@ＧＭＡＩＬ.com', 'ada@gmail.com'],
])('%s is stored as %s', (text, address) => {
  expect(readEmailAddress(text)).toBe(address);
});

test.each([
  '',
  'ada',
  '@example.com',
  'ada@',
  'ada@@example.com',
  'ada@example.com@evil.example',
  'ada@localhost',
  'ada@127.0.0.1',
  'ada@[127.0.0.1]',
  '"ada"@example.com',
  'ada lovelace@example.com',
  'ada\r\nBcc: eve@evil.example@example.com',
  'ada@example.com\r\nBcc: eve@evil.example',
  'ada@example.com,eve@evil.example',
  'ada@example.com;eve@evil.example',
  'Ada <ada@example.com>',
  '<ada@example.com>',
  '@relay.example:ada@example.com',
  'ada%example.com@',
  '.ada@example.com',
  'ada..l@example.com',
  'ada@-example.com',
  'ada@example..com',
  'ada@example.c',
  'ada\u0000@example.com',
  'аda@example.com',
  `${'a'.repeat(40)}@example.com`,
])('%j is no address', (text) => {
  expect(readEmailAddress(text)).toBeUndefined();
});

const optionsOf = (whitelist: string | undefined, refusesAliases = false): Pick<Options, 'get'> => {
  const values: Readonly<Record<string, unknown>> = {
    EmailDomainRestrictionEnabled: whitelist !== undefined,
    EmailDomainWhitelist: (whitelist ?? '').split(','),
    EmailAliasRestrictionEnabled: refusesAliases,
  };
  // What the options would hold: their own type follows from the key.
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a table of values of several types
  return { get: (key) => values[key] as never };
};
const refusalOf = (text: string, options: Pick<Options, 'get'>): unknown => {
  try {
    acceptEmailAddress(text, options);
    return undefined;
  } catch (error) {
    return error;
  }
};

test('REG-08 OPT-EmailDomainWhitelist only the listed domains are accepted, in any case, and nothing that looks like them', () => {
  const options = optionsOf('gmail.com, Example.ORG,@bücher.example');
  for (const text of ['a@gmail.com', 'a@GMail.Com', 'a@example.org', 'a@BÜCHER.example', 'a+b@gmail.com']) {
    expect(refusalOf(text, options), text).toBeUndefined();
  }
  for (const text of [
    'a@evilgmail.com',
    'a@gmail.com.evil.example',
    'a@mail.gmail.com',
    'a@gmail.co',
    'a@gmail-com.example',
    'a@gmaiⅼ.example',
    'gmail.com@evil.example',
    'a@evil.example?gmail.com',
    'a@gmail.com/evil.example',
    'a@gm%61il.com',
    'a@gmail.com#evil.example',
    'a@gmаil.com',
  ]) {
    expect(refusalOf(text, options), text).toBeInstanceOf(AppError);
  }
});

test('REG-08 OPT-EmailDomainRestrictionEnabled every domain is accepted while the list is off', () => {
  expect(refusalOf('a@anywhere.example', optionsOf(undefined))).toBeUndefined();
});

test('REG-08 OPT-EmailAliasRestrictionEnabled plus-aliases are refused where that is configured', () => {
  expect(refusalOf('ada+2@gmail.com', optionsOf(undefined, true))).toMatchObject({ code: 'email_alias_refused' });
  expect(refusalOf('ada@gmail.com', optionsOf(undefined, true))).toBeUndefined();
});

test('REG-08 no made-up address gets past the list', () => {
  const options = optionsOf('gmail.com');
  const piece = fc.oneof(
    fc.constantFrom(
      'gmail.com',
      '@',
      '.',
      '+',
      ' ',
      '"',
      '\r\n',
      '%',
      ',',
      ';',
      '<',
      '>',
      '\u0000',
      '。',
      '@gmail.com',
      'evil',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      if (refusalOf(text, options) !== undefined) return;
      expect(acceptEmailAddress(text, options)).toMatch(/^[\w!#$%&'*+/=?^`{|}~.-]+@gmail\.com$/);
    }),
    { numRuns: 10_000 },
  );
});
