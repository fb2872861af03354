import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadCertificate } from '../../integrations/certificate.ts';
import { listBaseUrls } from '../../store/alerts/alert-figures.ts';
import type { Database } from '../../store/database.ts';
import type { Options } from '../../store/options.ts';

/** The certificate of a server that the operator has named. */
export interface Certificate {
  /** `host:port` */
  readonly server: string;
  /** Unix seconds. */
  readonly expires: number;
}

/** Reads the certificates of this gateway's address and of the channels' own base URLs; those that are known in time. */
export type Certificates = (now: number) => Promise<readonly Certificate[]>;

interface CertificatesDeps {
  readonly db: Pick<Database, 'read'>;
  readonly options: Pick<Options, 'get'>;
  readonly read: ReadCertificate;
}

/** Servers that are looked at. */
const serversMax = 200;
const atOnce = 4;
/** Seconds after which a certificate is read again, and a server that showed none. */
const freshSeconds = 12 * 3600;
const failedSeconds = 3600;
/** Milliseconds that an evaluation waits; what is read later counts for the next one. */
const patienceMs = 20_000;
const tlsPort = 443;

interface Known {
  readonly readAt: number;
  /** Unix seconds; null: it showed none. */
  readonly expires: number | null;
}

const serverOf = (text: string): string[] => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' ? [`${url.hostname}:${url.port || tlsPort}`] : [];
};

export const createCertificates = ({ db, options, read }: CertificatesDeps): Certificates => {
  const known = new Map<string, Known>();
  let reading: Promise<void> | null = null;

  const isDue = (server: string, now: number): boolean => {
    const found = known.get(server);
    if (found === undefined) return true;
    return now - found.readAt >= (found.expires === null ? failedSeconds : freshSeconds);
  };
  const readOne = async (server: string, now: number): Promise<void> => {
    const at = server.lastIndexOf(':');
    const host = server.slice(0, at).replace(/^\[(.*)\]$/, '$1');
    // A server that is down is the matter of other rules.
    const expires = await read({ host, port: Number(server.slice(at + 1)) }).catch(() => null);
    known.set(server, { readAt: now, expires });
  };
  const readDue = async (servers: readonly string[], now: number): Promise<void> => {
    const due = servers.filter((server) => isDue(server, now)).values();
    const worker = async (): Promise<void> => {
      for (const server of due) await readOne(server, now);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };
  return async (now) => {
    const urls = [options.get('ServerAddress'), ...(await listBaseUrls(db))];
    const servers = [...new Set(urls.flatMap(serverOf))].slice(0, serversMax);
    for (const server of known.keys()) if (!servers.includes(server)) known.delete(server);
    reading ??= readDue(servers, now).finally(() => (reading = null));
    await Promise.race([reading, sleep(patienceMs, undefined, { ref: false })]);
    return servers.flatMap((server) => {
      const expires = known.get(server)?.expires ?? null;
      return expires === null ? [] : [{ server, expires }];
    });
  };
};
