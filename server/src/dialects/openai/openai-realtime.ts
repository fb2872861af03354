import type { Dialect } from '../dialect.ts';
import { openAiErrors } from './openai-errors.ts';

const nothing = Buffer.alloc(0);

/** A session is named by its address alone: what it is asked comes later, message by message. */
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
      metered: () => 0,
      promptBytes: 0,
      bytes: nothing,
      edit: () => nothing,
      countable: () => nothing,
    };
  },
};
