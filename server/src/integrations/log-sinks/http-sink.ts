import { type Outbound, OutboundError } from '../outbound.ts';
import type { LogSink } from './log-sink.ts';

/** A batch of the largest rows has some MB. */
const timeoutMs = 60_000;
const shownMax = 200;

/**
 * `https://user:password@host/…`: each batch is the body of a POST, as JSON lines. For ClickHouse the address has the
 * statement: `/?query=INSERT INTO weir.logs FORMAT JSONEachRow`. It drops a batch that it has by its token where the
 * table keeps them (clickhouse.com/docs, insert_deduplication_token); other receivers ignore the parameter.
 */
export const openHttpSink = (url: URL, outbound: Outbound): LogSink => {
  const { username, password } = url;
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = username === '' ? {} : { authorization: `Basic ${Buffer.from(account, 'utf8').toString('base64')}` };
  const target = new URL(url);
  target.username = '';
  target.password = '';
  return {
    send: async ({ lines, name }) => {
      const each = new URL(target);
      if (each.searchParams.has('query')) each.searchParams.set('insert_deduplication_token', name);
      const jsonLines = lines.map((line) => `${line}\n`).join('');
      const { status, text } = await outbound({ method: 'POST', url: each.href, headers, jsonLines, timeoutMs });
      if (status < 200 || status > 299) throw new OutboundError(`status ${status}: ${text.slice(0, shownMax)}`);
    },
  };
};
