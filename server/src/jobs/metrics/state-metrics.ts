import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Relay } from '../../relay/relay.ts';
import type { Database } from '../../store/database.ts';

/** Channels with their own label. */
const channelsMax = 500;
/** One of so many postings is timed. */
const sampledEvery = 16;
/** Seconds: from a group commit to a database that is away. */
const postingBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const gauge = (registry: Registry, name: string, help: string, read: () => number): void => {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
};

/** The figures are read when the metrics are. */
export const showRelayState = (
  registry: Registry,
  relay: Pick<Relay, 'running' | 'queued' | 'channelStates'>,
): void => {
  gauge(registry, 'weir_relay_calls_in_flight', 'Relayed calls that run now.', relay.running);
  gauge(registry, 'weir_relay_calls_queued', 'Calls that wait for a channel with room.', relay.queued);
  gauge(registry, 'weir_channels_enabled', 'Enabled channels.', () => [...relay.channelStates()].length);
  new Gauge({
    name: 'weir_channel_keys',
    help: 'Keys of enabled channels by the state of their circuit breaker on this node: in_use, resting.',
    labelNames: ['channel', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { id, keys, resting } of [...relay.channelStates()].slice(0, channelsMax)) {
        this.set({ channel: id, state: 'in_use' }, keys - resting);
        this.set({ channel: id, state: 'resting' }, resting);
      }
    },
  });
};

/** The figures are read when the metrics are. */
export const showDatabaseState = (registry: Registry, { load }: Pick<Database, 'load'>): void => {
  gauge(
    registry,
    'weir_database_writes_waiting',
    'Writes of this node that wait for their commit.',
    () => load().writes,
  );
  gauge(registry, 'weir_database_connections', 'Connections of the pool; 0 with SQLite.', () => load().connections);
  gauge(registry, 'weir_database_connections_idle', 'Those without a query.', () => load().idle);
  gauge(registry, 'weir_database_queries_waiting', 'Queries that wait for a connection.', () => load().queries);
};

/** Times some of the postings: how long calls wait for their durable hold or charge. */
export const timePostings = (db: Database, registry: Registry): Database => {
  const durations = new Histogram({
    name: 'weir_posting_duration_seconds',
    help: `Time until a hold or charge was durable, of one in ${sampledEvery}.`,
    buckets: postingBounds,
    registers: [registry],
  });
  let count = 0;
  const post: Database['post'] = (posting) => {
    count += 1;
    const posted = db.post(posting);
    if (count % sampledEvery !== 1) return posted;
    const began = performance.now();
    const note = () => durations.observe((performance.now() - began) / 1000);
    posted.then(note, note);
    return posted;
  };
  return { ...db, post };
};
