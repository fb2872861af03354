/**
 * The reference of the speed guard: a proxy of a few lines on Node's own server and client. It parses what it passes on, as
 * a gateway must, and does nothing else. `GET /metrics` has the processor time of its process under the name that Weir uses.
 */
import { Agent, createServer, type IncomingMessage, request } from 'node:http';

const [, , upstream = ''] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const onWhole = (message: IncomingMessage, use: (body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.on('end', () => use(Buffer.concat(chunks)));
};

const headersOf = (body: Buffer) => ({ 'content-type': 'application/json', 'content-length': body.length });

const server = createServer((incoming, answer) => {
  if (incoming.url === '/metrics') {
    const { user, system } = process.cpuUsage();
    answer.end(`process_cpu_seconds_total ${(user + system) / 1e6}\n`);
    return;
  }
  onWhole(incoming, (body) => {
    JSON.parse(body.toString());
    const options = { method: 'POST', agent, headers: headersOf(body) };
    const call = request(`${upstream}${incoming.url}`, options, (got) => {
      onWhole(got, (text) => {
        JSON.parse(text.toString());
        answer.writeHead(got.statusCode ?? 502, headersOf(text)).end(text);
      });
    });
    call.on('error', () => answer.destroy());
    call.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.stdout.write(`${address.port}\n`);
});
