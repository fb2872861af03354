import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { callPaths, dialectOf } from '../../server/src/dialects/dialects.ts';
import { describeApi } from '../../server/src/http/openapi.ts';
import { realtimePath } from '../../server/src/relay/realtime/realtime.ts';
import { endpoints } from '../../server/test/contract/endpoints.ts';

/** Every recommended rule of the linter, except two that paths of the contract break. */
const rules = {
  // Collections are called `/api/user/` on the wire; both forms are served.
  'no-path-trailing-slash': 'off',
  // `/api/channel/test/{id}` and `/api/channel/{id}/health`: an id is a number, so that no path matches both.
  'no-ambiguous-paths': 'off',
} as const;

const problemsOf = async (description: unknown): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lintFromString({ source: JSON.stringify(description), config });
  return (
    problems
      .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)
      // A WebSocket is opened with status 101.
      .filter((problem) => !/^operation-2xx-response: .*#\/paths\/~1v1~1realtime\//.test(problem))
  );
};

test('API-03 the OpenAPI description is valid and passes a linter', async () => {
  const description = describeApi([...endpoints.values()], 'v0.0.0');
  expect(await problemsOf(description)).toEqual([]);
});

test('O17 the paths of the relay in the description are those that take calls of models, and probes are in it', () => {
  const { paths } = describeApi([], 'v0.0.0');
  const calls = Object.entries(paths ?? {}).flatMap(([path, methods]) => ('post' in methods ? [path] : []));
  const example = (path: string) =>
    path.replace('{call}', 'gemini-2.5-flash:generateContent').replace('{model}', 'ada');
  expect(calls).toEqual(expect.arrayContaining([...callPaths]));
  expect(calls.filter((path) => dialectOf(example(path), '') === null)).toEqual([]);
  const others = ['/readyz', '/healthz', '/v1/models', realtimePath];
  expect(Object.keys(paths ?? {})).toEqual(expect.arrayContaining(others));
});

test('API-03 the linter finds planted faults: an operation without responses, and an invalid schema', async () => {
  const operation = { operationId: 'a', summary: 'a', security: [], parameters: [{ name: 'id', in: 'path' }] };
  const schema = { type: 'nothing' };
  const answer = { description: 'a', content: { 'application/json': { schema } } };
  const problems = await problemsOf({
    openapi: '3.1.0',
    info: { title: 'planted', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    paths: {
      '/a': { get: operation },
      '/b': { get: { ...operation, operationId: 'b', parameters: [], responses: { 200: answer, 429: answer } } },
    },
  });
  expect(problems.join('\n')).toMatch(/struct: .*responses/);
  expect(problems.join('\n')).toMatch(/struct: .*#\/paths\/~1b\/get/);
});
