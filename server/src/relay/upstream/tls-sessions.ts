/** TLS sessions by host and port: a new connection resumes one instead of a full handshake. */
export interface TlsSessions {
  get(server: string): Buffer | undefined;
  keep(server: string, session: Buffer): void;
}

/** More servers than channels commonly name. A session has some kilobytes, and clients can name servers. */
const keptMax = 256;

export const createTlsSessions = (max = keptMax): TlsSessions => {
  /** In the order of their last use. */
  const kept = new Map<string, Buffer>();
  const keep = (server: string, session: Buffer) => {
    kept.delete(server);
    kept.set(server, session);
    if (kept.size <= max) return;
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  };
  return {
    get: (server) => {
      const session = kept.get(server);
      if (session !== undefined) keep(server, session);
      return session;
    },
    keep,
  };
};
