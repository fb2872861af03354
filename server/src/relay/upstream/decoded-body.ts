import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { UpstreamSink } from './upstream-call.ts';
import { UpstreamError } from './upstream-error.ts';

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/** Passes the decoded body on, of upstreams that compress although the request excludes that. Stateful: one answer. */
class DecodedBody implements UpstreamSink {
  private over = false;
  private readonly decoder: Transform;
  private readonly sink: UpstreamSink;

  constructor(decoder: Transform, sink: UpstreamSink) {
    this.decoder = decoder;
    this.sink = sink;
    decoder.on('data', (bytes: Buffer) => {
      if (!this.over) sink.data(bytes);
    });
    decoder.on('end', () => {
      if (this.over) return;
      this.over = true;
      sink.end();
    });
    decoder.on('error', (error) => this.fail(new UpstreamError('broken', error)));
  }

  head(...head: Parameters<UpstreamSink['head']>): void {
    this.sink.head(...head);
  }

  data(chunk: Buffer): void {
    this.decoder.write(chunk);
  }

  end(): void {
    this.decoder.end();
  }

  fail(error: UpstreamError): void {
    if (this.over) return;
    this.over = true;
    this.decoder.destroy();
    this.sink.fail(error);
  }

  stop(error: UpstreamError): void {
    this.fail(error);
  }

  pause(): void {
    this.decoder.pause();
  }

  resume(): void {
    this.decoder.resume();
  }
}

/** The decoder of one encoding; null: it is unknown, or several were applied. */
export const decodedBody = (encoding: string, sink: UpstreamSink): UpstreamSink | null => {
  const create = decoders.get(encoding.trim().toLowerCase());
  return create === undefined ? null : new DecodedBody(create(), sink);
};
