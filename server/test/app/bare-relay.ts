import { once } from 'node:events';
import { createAccounts } from '../../src/billing/accounts.ts';
import { PlainServer } from '../../src/http/plain/plain-server.ts';
import type { RelayLimits } from '../../src/relay/limits.ts';
import type { RelayDeps } from '../../src/relay/assemble.ts';
import type { MemoryBudget } from '../../src/relay/memory/memory-budget.ts';
import { createRelay } from '../../src/relay/relay.ts';
import { openChanges } from '../../src/store/nodes/changes.ts';
import { channelKeyColumns } from '../../src/store/channels/channels.ts';
import type { Database } from '../../src/store/database.ts';
import { loadOptions } from '../../src/store/options.ts';
import { createSecrets, type Secrets } from '../../src/store/credentials/secrets.ts';
import { addChannel } from '../database/accounts.ts';
import { openTestDatabase } from '../database/database.ts';
import { startFakeUpstream, type FakeUpstream } from '../fakes/fake-upstream.ts';
import { startRaw, type RawCall } from '../clients/raw-client.ts';
import { addRelayUser, type RelayUser } from './relay-user.ts';

/** The data plane alone, so that its limits can be chosen. */
export interface BareRelay {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly upstream: FakeUpstream;
  readonly user: RelayUser;
  readonly url: string;
  /** Starts a chat completion of the user. */
  start(members?: Readonly<Record<string, unknown>>): RawCall;
  /** Stops the relay as the process would. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface BareRelayOptions {
  readonly limits?: Partial<RelayLimits>;
  /** Absent: of the default size. */
  readonly memory?: MemoryBudget;
  readonly privateUpstreams?: RelayDeps['config']['privateUpstreams'];
  /** Addresses of the model's channels, the first preferred; absent: the upstream's. */
  readonly addresses?: readonly string[];
  /** The key of all channels; absent: a random one. */
  readonly key?: string;
  /** Options as stored texts. */
  readonly options?: Readonly<Record<string, string>>;
}

const model = 'weir-test';
const silent = { error: () => undefined, warn: () => undefined, info: () => undefined };

/** Starts it over a fresh database, with a user and a channel for each address. */
export const startBareRelay = async (wanted: BareRelayOptions = {}): Promise<BareRelay> => {
  await using started = new AsyncDisposableStack();
  const db = await openTestDatabase();
  started.defer(db.close);
  const changes = await openChanges({ databaseUrl: db.databaseUrl });
  started.defer(changes.close);
  const upstream = await startFakeUpstream(wanted.key === undefined ? {} : { key: wanted.key });
  started.defer(upstream.close);
  const secrets = createSecrets(Buffer.alloc(32, 9));
  const addresses = wanted.addresses ?? [upstream.url];
  for (const [index, base_url] of addresses.entries()) {
    const target = { base_url, models: model, priority: -index };
    await addChannel(db, { type: 8, ...target, ...channelKeyColumns(secrets, upstream.key) });
  }
  const prices = { ModelRatio: `{"${model}":1}`, CompletionRatio: `{"${model}":2}`, ...wanted.options };
  const rows = Object.entries(prices).map(([key, value], index) => ({ key, value, version: index + 1 }));
  await db.write.insertInto('options').values(rows).execute();
  const options = await loadOptions({ db, secrets, changes, defaults: {} });
  started.defer(options.close);
  const accounts = createAccounts({ db, changes, onError: silent.error });
  started.defer(accounts.close);
  const clock = { now: () => Date.now() };
  const config = {
    trustedProxies: [],
    privateUpstreams: wanted.privateUpstreams ?? 'allow',
    testPrompt: 'Who are you?',
  };
  const { limits = {} } = wanted;
  const relay = await createRelay({
    db,
    secrets,
    changes,
    options,
    accounts,
    clock,
    log: silent,
    config,
    limits,
    ...(wanted.memory !== undefined && { memory: wanted.memory }),
    testPrompt: 'Who are you?',
  });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= relay.close());
  started.defer(stop);

  const times = { headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 65_000 };
  const { serves, handle, upgrades } = relay;
  const server = new PlainServer(
    { ...times, connectionsCheckingInterval: 1000, serves, handle, shouldUpgradeCallback: upgrades },
    handle,
  );
  server.on('upgrade', relay.upgrade);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  started.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const user = await addRelayUser({ db, secrets });
  const headers = { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' };
  const ending = started.move();
  return {
    db,
    secrets,
    upstream,
    user,
    url,
    start: (members) => {
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }], ...members });
      return startRaw({ url, path: '/v1/chat/completions', headers, body });
    },
    stop,
    close: () => ending.disposeAsync(),
  };
};
