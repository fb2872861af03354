import { getNotice } from '@weir/contract/status';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { demandDeclarations } from './demand-declarations.ts';

test('API-01 a call that the contract does not declare stops the start, and pages and declared calls do not', async () => {
  const app = fastify();
  demandDeclarations(app, ['/api/openapi.json']);
  const answer = async () => ({});
  app.get('/api/notice', { config: { endpoint: getNotice } }, answer);
  app.get('/api/openapi.json', answer);
  app.get('/metrics', answer);
  expect(() => app.delete('/api/user/unknown', answer)).toThrow('DELETE /api/user/unknown is in no file');
  await app.close();
});
