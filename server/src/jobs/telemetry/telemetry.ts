import { openOtlp, type OtlpSettings } from '../../integrations/otlp.ts';
import type { RelayObserver } from '../../relay/call/relay-observer.ts';

interface TelemetryDeps extends Omit<OtlpSettings, 'url'> {
  /** Undefined: no telemetry. */
  readonly url: string | undefined;
  readonly clock: { now(): number };
}

interface Telemetry {
  /** Undefined: nothing is observed. */
  readonly observer: RelayObserver | undefined;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Starts traces and metrics of calls, if a collector is named. */
export const openTelemetry = async ({ url, clock, ...settings }: TelemetryDeps): Promise<Telemetry> => {
  if (url === undefined) return { observer: undefined, close: () => Promise.resolve() };
  const [{ createCallTelemetry }, otlp] = await Promise.all([
    import('./call-telemetry.ts'),
    openOtlp({ ...settings, url }),
  ]);
  return { observer: createCallTelemetry({ ...otlp, clock }), close: otlp.close };
};
