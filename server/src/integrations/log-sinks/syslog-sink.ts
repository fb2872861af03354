import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { StartError } from '../../errors.ts';
import type { LogSink } from './log-sink.ts';

const timeoutMs = 30_000;
/** Facility 16 (local use 0), severity 6 (informational): RFC 5424 §6.2.1. */
const priority = 16 * 8 + 6;

/** One message of RFC 5424 with its length in front (RFC 6587 §3.4.1, RFC 5425 §4.3). */
const frame = (line: string, unixSeconds: number): string => {
  const at = new Date(unixSeconds * 1000).toISOString();
  const message = `<${priority}>1 ${at} ${hostname()} weir ${process.pid} call - ${line}`;
  return `${Buffer.byteLength(message)} ${message}`;
};

const open = async (url: URL): Promise<Socket> => {
  const secure = url.protocol === 'syslogs:';
  const at = { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || (secure ? 6514 : 514)) };
  const signal = AbortSignal.timeout(timeoutMs);
  const socket = secure ? connectTls({ ...at, servername: at.host }) : connect(at);
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the syslog server takes nothing')));
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
};

/** Sends a text and closes. Resolves when the server has closed too: it then has read to the end. */
const sendAll = (socket: Socket, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('end', () => {
      if (!socket.writableFinished) reject(new Error('the syslog server closed the connection'));
    });
    socket.on('close', () => resolve());
    socket.resume();
    socket.end(text);
  });

/**
 * `syslog://host:514` (TCP) or `syslogs://host:6514` (TLS): a message for each record. The protocol has no receipt: a
 * batch counts as sent when the server has closed the connection in order after its end.
 */
export const openSyslogSink = (url: URL): LogSink => {
  if (url.hostname === '') throw new StartError('LOG_SINK_URL must name the host of the syslog server');
  return {
    send: async ({ lines, times }) => {
      const socket = await open(url);
      await sendAll(socket, lines.map((line, index) => frame(line, times[index] ?? 0)).join(''));
    },
  };
};
