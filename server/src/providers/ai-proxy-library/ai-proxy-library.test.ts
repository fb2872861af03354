import { describe, expect, test } from 'vitest';
import { channel, ask, sentRequest, readEvents, contentEvent } from '../../../test/provider-suite/codec-probe.ts';
import { aiProxyLibrary } from './ai-proxy-library.ts';

describe('PROVIDER-21 AI Proxy library', () => {
  test('PROVIDER-21 sends the last turn to a knowledge base, and links the sources of the answer', () => {
    const at = channel('k', 'lib-1');
    expect(sentRequest(aiProxyLibrary, { channel: at, stream: true })).toMatchObject({
      path: '/api/library/ask',
      body: { model: 'm', query: 'Hi', libraryId: 'lib-1', stream: true },
    });
    expect(ask(aiProxyLibrary, { channel: channel('k') })).toMatchObject({ kind: 'fault' });
    const { events, complete } = readEvents(aiProxyLibrary, [
      '{"content":"Hi","finish":false,"model":"m","documents":[]}',
      '{"content":"","finish":true,"model":"m","documents":[{"title":"T","url":"https://x"}]}',
    ]);
    expect(complete).toBe(true);
    expect(events).toEqual([
      { kind: 'start', id: '' },
      contentEvent('text', 'Hi'),
      contentEvent('text', '\n\nReferences:\n\n1. [T](https://x)'),
      { kind: 'finish', finish: 'stop' },
    ]);
    expect(readEvents(aiProxyLibrary, ['{"success":false,"message":"invalid key","errCode":3}']).failure?.status).toBe(
      401,
    );
  });
});
