import { crc32 } from 'node:zlib';

const header = (name: string, value: string): Buffer => {
  const lengths = Buffer.alloc(2);
  lengths.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([7]),
    lengths,
    Buffer.from(value),
  ]);
};

/** One message of an AWS event stream. Source: smithy.io, "Amazon Event Stream Specification". */
export const awsMessage = (names: Readonly<Record<string, string>>, payload: string): Buffer => {
  const headers = Buffer.concat(Object.entries(names).map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload);
  const message = Buffer.alloc(16 + headers.length + body.length);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, 12);
  body.copy(message, 12 + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, -4)), message.length - 4);
  return message;
};

/** An event. */
export const awsEvent = (type: string, payload: object): Buffer =>
  awsMessage(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify(payload),
  );

/** What ends a stream instead of its events. */
export const awsException = (type: string, message: string): Buffer =>
  awsMessage(
    { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' },
    JSON.stringify({ message }),
  );
