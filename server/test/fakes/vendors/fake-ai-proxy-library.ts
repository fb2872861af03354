import { expect } from 'vitest';
import type { UpstreamForm } from '../fake-upstream.ts';
import { checkHeaders, fault, parse } from '../fake-upstream-check.ts';
import { isJson, textOf } from '../../parsing/json.ts';
import type { FailureFixture } from '../../provider-suite/provider-suite.ts';

import {
  type ExpectedFailure,
  vendorFailure,
  vendorFixtures,
  type VendorFormat,
} from '../../provider-suite/vendor-fixtures.ts';

/** The id of the knowledge base. */
export const libraryId = 'lib-1';
const failed = (errCode: number, message: string) => ({ success: false, message, errCode });

/** AI Proxy's knowledge bases (provider notes 14.2): every refusal has status 200. */
export const libraryForm: UpstreamForm = {
  check: (input) => {
    const wrong = checkHeaders({ ...input, path: /^\/api\/library\/ask$/ });
    if (wrong !== undefined) return { ...wrong, status: 200 };
    const body = parse(input.body);
    if (!isJson(body)) return fault('the body is not JSON', 200);
    const { model, query, libraryId: library, stream, ...more } = body;
    if (Object.keys(more).length > 0 || typeof stream !== 'boolean') return fault('unknown parameter', 200);
    if (library !== libraryId) return fault('library not found', 200);
    if (textOf(query) === '') return fault('query is empty', 200);
    return { model: textOf(model), stream, includeUsage: true, maxTokens: null, prompt: '', nonce: '' };
  },
  refusal: ({ fault: message }) => JSON.stringify(failed(1, message)),
};

const event = (data: object): string => `data:${JSON.stringify(data)}\n\n`;
const piece = (content: string, finish: boolean) => event({ content, finish, model: 'm', documents: [] });

const checkRequest: VendorFormat['checkRequest'] = { text: (body) => expect(body['query']).toBe('How is Paris?') };

/** What a knowledge base answers, without usage. */
export const libraryFixtures = vendorFixtures({
  source: 'provider notes 14.2 and 21.1',
  hidesUsage: true,
  whole: ({ text }) => JSON.stringify({ success: true, answer: text, documents: [] }),
  stream: ({ pieces }) => [...pieces.map((text) => piece(text, false)), piece('', true)],
  checkRequest,
});

const failure = (errCode: number, message: string, expected: ExpectedFailure): FailureFixture => {
  const body = failed(errCode, message);
  return vendorFailure({ status: 200, body: JSON.stringify(body), event: event(body) }, expected);
};

export const libraryFailures: readonly FailureFixture[] = [
  failure(3, 'invalid key', [401, 3]),
  failure(4, 'request too frequent', [429, 4]),
  failure(9, 'the library is closed', [502, 9]),
];

/** An event that ends a stream with a failure. */
export const libraryFailureEvent = event(failed(9, 'the library is closed'));
