import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';

const valueSchema = v.union([
  v.pipe(
    v.object({ stringValue: v.string() }),
    v.transform(({ stringValue }): unknown => stringValue),
  ),
  v.pipe(
    v.object({ intValue: v.union([v.number(), v.string()]) }),
    v.transform(({ intValue }): unknown => Number(intValue)),
  ),
]);
const attributesSchema = v.pipe(
  v.array(v.object({ key: v.string(), value: valueSchema })),
  v.transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value]))),
);
const spanSchema = v.object({
  traceId: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  spanId: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
  parentSpanId: v.optional(v.string(), ''),
  name: v.string(),
  /** 2: server, 3: client. */
  kind: v.number(),
  startTimeUnixNano: v.pipe(v.string(), v.transform(Number)),
  endTimeUnixNano: v.pipe(v.string(), v.transform(Number)),
  attributes: attributesSchema,
  status: v.object({ code: v.optional(v.number(), 0), message: v.optional(v.string(), '') }),
});
const resourceSchema = v.object({ attributes: attributesSchema });
const tracesSchema = v.object({
  resourceSpans: v.array(
    v.object({ resource: resourceSchema, scopeSpans: v.array(v.object({ spans: v.array(spanSchema) })) }),
  ),
});
const pointSchema = v.object({
  attributes: attributesSchema,
  count: v.pipe(v.union([v.number(), v.string()]), v.transform(Number)),
  sum: v.number(),
});
const metricsSchema = v.object({
  resourceMetrics: v.array(
    v.object({
      resource: resourceSchema,
      scopeMetrics: v.array(
        v.object({
          metrics: v.array(
            v.object({ name: v.string(), unit: v.string(), histogram: v.object({ dataPoints: v.array(pointSchema) }) }),
          ),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = v.InferOutput<typeof spanSchema>;
export type ReceivedPoint = v.InferOutput<typeof pointSchema>;

/** A strict OTLP collector on loopback: of JSON it keeps what it got; of protobuf only that it came. */
export interface OtlpCollector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Of the last export, by metric. */
  readonly points: ReadonlyMap<string, readonly ReceivedPoint[]>;
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  /** Each request as `path type`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export const startOtlpCollector = async (): Promise<OtlpCollector> => {
  const spans: ReceivedSpan[] = [];
  const points = new Map<string, readonly ReceivedPoint[]>();
  const resources: Record<string, unknown>[] = [];
  const requests: string[] = [];
  const take = (path: string, type: string, body: Buffer): void => {
    requests.push(`${path} ${type}`);
    if (body.length === 0) throw new Error('empty');
    if (type === 'application/x-protobuf') return;
    const message: unknown = JSON.parse(body.toString());
    if (path === '/v1/traces')
      for (const { resource, scopeSpans } of v.parse(tracesSchema, message).resourceSpans) {
        resources.push(resource.attributes);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
    else
      for (const { scopeMetrics } of v.parse(metricsSchema, message).resourceMetrics)
        for (const { name, histogram } of scopeMetrics.flatMap(({ metrics }) => metrics))
          points.set(name, histogram.dataPoints);
  };
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => {
        take(request.url ?? '', request.headers['content-type'] ?? '', body);
        response.setHeader('content-type', 'application/json');
        response.end('{}');
      })
      .catch((error: unknown) => {
        response.statusCode = 400;
        response.end(String(error));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    points,
    resources,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
