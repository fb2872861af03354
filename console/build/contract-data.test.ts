import * as tokens from '@weir/contract/tokens';
import { expect, test } from 'vitest';
import { dataSource } from './contract-data.ts';

const source = dataSource(tokens);

test('keeps what a call reads of an endpoint', () => {
  expect(source).toContain('export const listTokens = {"method":"GET","path":"/api/token/","access":"user"};');
});

test('keeps plain data and leaves schemas and functions out', () => {
  expect(source).toContain('export const tokenNameMax = 30;');
  expect(source).not.toContain('tokenSchema');
  expect(dataSource({ say: () => 'hello', answer: 42 })).toBe('export const answer = 42;');
});
