import type { QueryClient } from '@tanstack/react-query';
import { m } from '../../paraglide/messages.js';
import { runTest } from './channel-tests.ts';

const limitSeconds = 30;

/** Tests one of many channels: one that hangs must not hold up the others. */
export const testLimited = async (client: QueryClient, id: number): Promise<void> => {
  const signal = AbortSignal.timeout(limitSeconds * 1000);
  await runTest(client, id, { limit: { signal, words: m.channel_test_late({ seconds: limitSeconds }) } });
};
