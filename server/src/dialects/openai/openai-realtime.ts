import type { Dialect } from '../dialect.ts';
import { openAiErrors } from './openai-errors.ts';

const nothing = Buffer.alloc(0);

/** A session is described by its path alone: its requests follow as messages. */
export const openAiRealtime: Dialect = {
  format: 'openai-realtime',
  headers: ['openai-beta', 'openai-safety-identifier'],
  errors: openAiErrors,
  read: (_, { query }) => {
    const model = new URLSearchParams(query).get('model') ?? '';
    if (model === '') return { kind: 'fault', code: 'invalid_text_request', message: 'model is required' };
    return {
      kind: 'inbound',
      model,
      stream: true,
      includeUsage: true,
      outputLimit: null,
      choices: 1,
      hasSystem: () => false,
      // To open a session costs nothing.
      metered: () => ({ kind: 'metered', tokens: 0 }),
      promptBytes: 0,
      bytes: nothing,
      edit: () => nothing,
      countable: () => nothing,
    };
  },
};
