import { expect, test } from 'vitest';
import { readSubnets, wrongSubnet } from './subnets.ts';

test('C20 networks are separated by commas, blanks or lines; a single address is a network of one', () => {
  expect(readSubnets('10.0.0.0/8, 192.168.1.7\n2001:db8::/32 ::1  10.0.0.0/8')).toEqual([
    '10.0.0.0/8',
    '192.168.1.7/32',
    '2001:db8::/32',
    '::1/128',
  ]);
  expect(readSubnets(' ')).toEqual([]);
});

test.each([
  '10.0.0.0/33',
  '10.0.0/8',
  '256.1.1.1',
  '01.2.3.4',
  '::1/129',
  'host',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  ':::/1',
])('C20 refuses %s as a network', (text) => {
  expect(readSubnets(`10.0.0.0/8,${text}`)).toBeUndefined();
  expect(wrongSubnet(`10.0.0.0/8,${text}`)).toBe(text);
});
