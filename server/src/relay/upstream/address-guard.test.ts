import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBaseUrl } from '../../providers/base-url.ts';
import { createAddressGuard, type PrivateUpstreams } from './address-guard.ts';

/** The host of an address as the URL parser hands it to a connection. */
const hostOf = (written: string): string => {
  const base = parseBaseUrl(`http://${written}:80`);
  return base === null ? '' : new URL(base.origin).hostname.replace(/^\[|\]$/g, '');
};

const metadata = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16'];
const privates = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '192.0.0.1',
  '198.18.0.1',
  '0.0.0.0',
  '0.1.2.3',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];
const publics = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '192.169.0.1',
  '223.255.255.255',
  '169.253.255.255',
  '169.255.0.1',
];
const privates6 = [
  '::1',
  '::',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '2002:7f00:1::',
  '64:ff9b::7f00:1',
  '2001:0:1::1',
];
const metadata6 = [
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::169.254.169.254',
  '64:ff9b::100.100.100.200',
  '64:ff9b::168.63.129.16',
  '2002:a9fe:a9fe::1',
  '2002:6464:64c8:1::1',
  '2002:a83f:8110::',
];
const publics6 = ['2606:4700:4700::1111', '2a00:1450:4001::1'];

/** Every way in which parsers of addresses have ever read these four bytes. */
const spellings = (address: string): readonly string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => value.toString(16);
  const inner = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex(number)}`,
    `0${number.toString(8)}`,
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `[::ffff:${address}]`,
    `[::ffff:${inner}]`,
    `[0:0:0:0:0:ffff:${inner}]`,
    [...address].map((digit) => (digit === '.' ? '\u3002' : digit)).join(''),
    [...address].map((digit) => (digit === '.' ? '.' : String.fromCodePoint(0xff10 + Number(digit)))).join(''),
  ];
};

describe('the guard of upstream addresses', () => {
  const guard = (mode: PrivateUpstreams) => createAddressGuard(mode);
  const allowed = (mode: PrivateUpstreams, addresses: readonly string[]) =>
    addresses.filter((address) => guard(mode).allows(address));

  test('B38 closes what is not public when private addresses are denied', () => {
    expect(allowed('deny', [...metadata, ...metadata6, ...privates, ...privates6])).toEqual([]);
    expect(allowed('deny', [...publics, ...publics6])).toEqual([...publics, ...publics6]);
  });

  test('B38 S25 closes the metadata addresses whatever is allowed, behind NAT64 and 6to4 too', () => {
    for (const mode of ['allow', 'deny', ['169.254.0.0/16', '0.0.0.0/0', '::/0']] as const)
      expect(allowed(mode, [...metadata, ...metadata6])).toEqual([]);
    expect(allowed('allow', [...privates, ...privates6, ...publics, ...publics6])).toEqual([
      ...privates,
      ...privates6,
      ...publics,
      ...publics6,
    ]);
  });

  test('B38 opens the listed ranges and no others', () => {
    expect(allowed(['10.0.0.0/8', 'fd12:3456::/32'], [...privates, ...privates6, ...publics])).toEqual([
      '10.0.0.1',
      '10.255.255.255',
      'fd12:3456::1',
      ...publics,
    ]);
  });

  test('B38 sees through every spelling of an address', () => {
    const open = [...metadata, ...privates]
      .flatMap(spellings)
      .filter((written) => guard('deny').allows(hostOf(written)));
    expect(open).toEqual([]);
    const closed = [...metadata].flatMap(spellings).filter((written) => guard('allow').allows(hostOf(written)));
    expect(closed).toEqual([]);
    // The spellings are parsed: those of a public address are allowed.
    const understood = spellings('8.8.8.8').filter((written) => guard('deny').allows(hostOf(written)));
    expect(understood.length).toBeGreaterThan(10);
  });

  test('B38 takes nothing else for an address', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (/^[\d.]+$|:/.test(text)) return;
        expect(guard('allow').allows(text)).toBe(false);
      }),
    );
  });

  test('B38 judges a name by what it resolves to', async () => {
    const lookUp = (mode: PrivateUpstreams) => promisify(guard(mode).lookup)('localhost', {});
    await expect(lookUp('deny')).rejects.toThrow('not allowed');
    await expect(lookUp(['10.0.0.0/8'])).rejects.toThrow('not allowed');
    await expect(lookUp('allow')).resolves.toMatch(/^(127\.0\.0\.1|::1)$/);
  });
});
