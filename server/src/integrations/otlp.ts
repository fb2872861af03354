import type { Meter, Tracer } from '@opentelemetry/api';

/** How traces and metrics are written. */
export type TelemetryFormat = 'http/protobuf' | 'http/json';

export interface OtlpSettings {
  /** Of the collector, without the path of a signal. */
  readonly url: string;
  readonly format: TelemetryFormat;
  /** Share of the traces that begin here, from 0 to 1. */
  readonly tracedShare: number;
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** Of this process. */
  readonly nodeName: string;
  readonly log: { warn(facts: object, message: string): void };
}

/** Traces and metrics that go to a collector. */
export interface Otlp {
  readonly tracer: Tracer;
  readonly meter: Meter;
  /** Sends what is left. */
  close(): Promise<void>;
}

const meterEveryMs = 60_000;

const openExporters = async (url: string, format: TelemetryFormat) => {
  const [spans, metrics] =
    format === 'http/json'
      ? await Promise.all([
          import('@opentelemetry/exporter-trace-otlp-http'),
          import('@opentelemetry/exporter-metrics-otlp-http'),
        ])
      : await Promise.all([
          import('@opentelemetry/exporter-trace-otlp-proto'),
          import('@opentelemetry/exporter-metrics-otlp-proto'),
        ]);
  return {
    spans: new spans.OTLPTraceExporter({ url: `${url}/v1/traces` }),
    metrics: new metrics.OTLPMetricExporter({ url: `${url}/v1/metrics` }),
  };
};

/** Opens an exporter by OTLP. Its libraries are loaded here: the start without one does not wait for them. */
export const openOtlp = async (settings: OtlpSettings): Promise<Otlp> => {
  const { url, log } = settings;
  const [api, { resourceFromAttributes }, tracing, metering, exporters] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/sdk-metrics'),
    openExporters(url, settings.format),
  ]);
  const warn = (text: string): void => log.warn({ collector: new URL(url).host }, `telemetry: ${text}`);
  const quiet = (): void => undefined;
  const lines = { error: warn, warn, info: quiet, debug: quiet, verbose: quiet };
  api.diag.setLogger(lines, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  const resource = resourceFromAttributes({
    'service.name': settings.serviceName,
    'service.version': settings.serviceVersion,
    'service.instance.id': settings.nodeName,
  });
  const traces = new tracing.TracerProvider({
    resource,
    sampler: new tracing.ParentBasedSampler({ root: new tracing.TraceIdRatioBasedSampler(settings.tracedShare) }),
    spanProcessors: [new tracing.BatchSpanProcessor({ exporter: exporters.spans })],
  });
  const every = { exporter: exporters.metrics, exportIntervalMillis: meterEveryMs };
  const meters = new metering.MeterProvider({
    resource,
    readers: [new metering.PeriodicExportingMetricReader(every)],
  });
  const scope = ['weir', settings.serviceVersion] as const;
  return {
    tracer: traces.getTracer(...scope),
    meter: meters.getMeter(...scope),
    close: async () => {
      const closed = await Promise.allSettled([traces.shutdown(), meters.shutdown()]);
      for (const each of closed)
        if (each.status === 'rejected')
          log.warn({ err: new Error(String(each.reason)) }, 'telemetry: the last of it was not sent');
    },
  };
};
