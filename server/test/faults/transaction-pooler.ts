import { connect, createServer, type Socket } from 'node:net';

/** A pooler in front of PostgreSQL that gives a connection a server process for one transaction at a time. */
export interface TransactionPooler {
  readonly port: number;
  close(): Promise<void>;
}

/** A connection to the server, and the client that has it. */
interface ServerLink {
  readonly socket: Socket;
  client: Socket;
}

/** What poolers take at the start of a connection; they refuse the rest. */
const startParameters = ['user', 'database', 'application_name', 'client_encoding'];

const messageHead = 5;
const readyForQuery = 'Z'.charCodeAt(0);
const terminate = 'X'.charCodeAt(0);
const outsideTransaction = 'I'.charCodeAt(0);

/** Calls `onReady` for every message that says that no transaction is open. */
const watchReady = (socket: Socket, onReady: () => void) => {
  let unread = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    while (unread.length >= messageHead) {
      const end = 1 + unread.readUInt32BE(1);
      if (unread.length < end) return;
      if (unread[0] === readyForQuery && unread[messageHead] === outsideTransaction) onReady();
      unread = unread.subarray(end);
    }
  });
};

const refusedParameter = (start: Buffer): string | undefined => {
  const texts = start.subarray(8).toString('latin1').split('\0');
  return texts.find((text, index) => index % 2 === 0 && text !== '' && !startParameters.includes(text));
};

export const startTransactionPooler = async (target: {
  readonly host: string;
  readonly port: number;
}): Promise<TransactionPooler> => {
  const sockets = new Set<Socket>();
  /** The server process that was used last is given out first. */
  const idle: ServerLink[] = [];
  const held = new Map<Socket, ServerLink>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const openLink = (client: Socket): ServerLink => {
    const link = { socket: connect(target.port, target.host), client };
    track(link.socket);
    held.set(client, link);
    link.socket.on('data', (bytes) => link.client.write(bytes));
    watchReady(link.socket, () => {
      held.delete(link.client);
      idle.push(link);
    });
    return link;
  };
  const linkOf = (client: Socket): ServerLink => {
    const link = held.get(client) ?? idle.pop() ?? openLink(client);
    link.client = client;
    held.set(client, link);
    return link;
  };
  const server = createServer((client) => {
    track(client);
    client.once('data', (start) => {
      if (refusedParameter(start) !== undefined) return client.destroy();
      openLink(client).socket.write(start);
      client.on('data', (bytes) => {
        if (bytes[0] === terminate) client.end();
        else linkOf(client).socket.write(bytes);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The pooler has no port');
  return {
    port: address.port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
