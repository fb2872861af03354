import { StartError } from '../../errors.ts';
import type { Outbound } from '../outbound.ts';
import { openFileSink } from './file-sink.ts';
import { openHttpSink } from './http-sink.ts';
import type { LogSink } from './log-sink.ts';
import { openObjectSink } from './object-sink.ts';
import { openSyslogSink } from './syslog-sink.ts';

/** Throws `StartError` where the URL names no kind of sink, or one that is not complete. */
export const openLogSink = (
  text: string,
  { outbound, clock }: { readonly outbound: Outbound; readonly clock: { now(): number } },
): LogSink => {
  const url = new URL(text);
  switch (url.protocol) {
    case 'file:':
      return openFileSink(url);
    case 'http:':
    case 'https:':
      return openHttpSink(url, outbound);
    case 's3:':
    case 's3+http:':
      return openObjectSink(url, outbound, clock);
    case 'syslog:':
    case 'syslogs:':
      return openSyslogSink(url);
    default:
      throw new StartError('LOG_SINK_URL must begin with file:, http:, https:, s3:, s3+http:, syslog: or syslogs:');
  }
};
