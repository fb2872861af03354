import * as tokens from '@weir/contract/tokens';
import { expect, test } from 'vitest';
import { dataSource } from './contract-data.ts';

const source = dataSource(tokens);

test('keeps the members of an endpoint that a call reads', () => {
  expect(source).toContain('export const listTokens = {"method":"GET","path":"/api/token/","access":"user"};');
});

test('keeps plain data and drops schemas and functions', () => {
  expect(source).toContain('export const tokenNameMax = 30;');
  expect(source).not.toContain('tokenSchema');
  expect(dataSource({ say: () => 'hello', answer: 42 })).toBe('export const answer = 42;');
});
