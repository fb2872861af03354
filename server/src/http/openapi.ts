import { toJsonSchema } from '@valibot/to-json-schema';
import type { Endpoint } from '@weir/contract/endpoint';
import { totalHeader } from '@weir/contract/wire';
import type { GenericSchema } from 'valibot';
import { describeOtherPaths } from './openapi-relay.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: GenericSchema, typeMode: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = toJsonSchema(schema, {
    errorMode: 'ignore',
    typeMode,
    target: 'draft-2020-12',
  });
  return { ...rest };
};

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const totalDescription: Json = {
  description: 'Number of entries on all pages. Only with the first page, and absent if there are too many to count.',
  schema: { type: 'integer', minimum: 0 },
};

/** The members that a schema of an object declares. */
const members = (schema: GenericSchema): Json => {
  const { properties } = schemaOf(schema, 'input');
  return isJson(properties) ? properties : {};
};

const parameters = (endpoint: Endpoint): Json[] => [
  ...[...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
  })),
  ...(endpoint.query === undefined
    ? []
    : Object.keys(members(endpoint.query)).map((name) => ({
        name,
        in: 'query',
        required: false,
        schema: { type: 'string' },
      }))),
];

const envelope = (endpoint: Endpoint): Json => ({
  type: 'object',
  required: ['success', 'message'],
  properties: {
    success: { type: 'boolean' },
    message: { type: 'string' },
    ...(endpoint.data === undefined ? {} : { data: schemaOf(endpoint.data, 'output') }),
    ...(endpoint.extra === undefined ? {} : members(endpoint.extra)),
  },
});

const answer = (endpoint: Endpoint): Json =>
  endpoint.form === 'bare' && endpoint.data !== undefined ? schemaOf(endpoint.data, 'output') : envelope(endpoint);

const operationId = ({ method, path }: Endpoint): string =>
  [method.toLowerCase(), ...path.split('/').filter((part) => part !== '')].join('_').replace(/[^\w]/g, '');

const operation = (endpoint: Endpoint): Json => ({
  operationId: operationId(endpoint),
  summary: endpoint.summary,
  description: `Access: ${endpoint.access}.${endpoint.effect ? ' Has effects: refused when another site makes a browser send it.' : ''}`,
  tags: [endpoint.path.split('/')[2]],
  security: endpoint.access === 'public' ? [] : [{ session: [] }, { accessToken: [] }],
  parameters: parameters(endpoint),
  ...(endpoint.body === undefined
    ? {}
    : {
        requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } },
      }),
  responses: {
    200: {
      description: 'The response, or an ordinary failure with `success: false`.',
      ...(endpoint.counted === true && { headers: { [totalHeader]: totalDescription } }),
      content: {
        ...Object.fromEntries((endpoint.files ?? []).map((type) => [type, { schema: { type: 'string' } }])),
        'application/json': { schema: answer(endpoint) },
      },
    },
    ...(endpoint.access === 'public' ? {} : { 401: { description: 'No session and no access token.' } }),
    ...(endpoint.effect
      ? {
          403: {
            description: 'Cross-site request, or a callback without a state of this session.',
          },
        }
      : {}),
    429: { description: 'Too many requests or attempts; no body.' },
  },
});

/** OpenAPI 3.1: the management API from the constants that the server itself serves by, and the paths of the relay. */
export const describeApi = (endpoints: readonly Endpoint[], version: string): Json => {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Weir', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    paths: { ...paths, ...describeOtherPaths() },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        accessToken: { type: 'http', scheme: 'bearer' },
        token: { type: 'http', scheme: 'bearer', description: 'A key of the relay: sk-…' },
      },
    },
  };
};
