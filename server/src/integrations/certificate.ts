import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { OutboundError, type OutboundDeps } from './outbound.ts';

/** Resolves to when the certificate of a server ends, in unix seconds. Rejects where it shows none in time. */
export type ReadCertificate = (server: { readonly host: string; readonly port: number }) => Promise<number>;

const defaultTimeoutMs = 5000;

/** Reads certificates by a handshake, and sends nothing. A certificate that is not valid is read too: it may have ended. */
export const createReadCertificate =
  ({ guard, timeoutMs = defaultTimeoutMs }: OutboundDeps): ReadCertificate =>
  ({ host, port }) =>
    new Promise((resolve, reject) => {
      const isAddress = isIP(host) !== 0;
      // A literal address is never looked up, so it is checked here.
      if (isAddress && !guard.allows(host)) throw new OutboundError(`the address ${host} is not allowed`);
      const name = isAddress ? {} : { servername: host };
      const socket = connect({ host, port, lookup: guard.lookup, rejectUnauthorized: false, ...name });
      const timer = setTimeout(() => socket.destroy(new OutboundError('no certificate in time')), timeoutMs);
      socket.on('error', reject);
      socket.on('close', () => clearTimeout(timer));
      socket.on('secureConnect', () => {
        const end = Date.parse(socket.getPeerCertificate().valid_to);
        socket.destroy();
        if (Number.isNaN(end)) reject(new OutboundError('the server shows no certificate'));
        else resolve(Math.floor(end / 1000));
      });
    });
