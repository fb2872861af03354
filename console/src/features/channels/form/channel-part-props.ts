import type { ChannelProblem, ChannelValues } from './channel-values.ts';

/** State and callbacks of the key field. */
interface ChannelSecret {
  readonly key: string;
  /** One key per line. */
  readonly batch: boolean;
  readonly batchAllowed: boolean;
  /** The server has a key; an empty field keeps it. */
  readonly stored: boolean;
}

/** Props of every part of the channel form. */
export interface ChannelPartProps {
  readonly values: ChannelValues;
  readonly secret: ChannelSecret;
  /** The server's number of the channel; absent: it is being created. */
  readonly id?: number;
  /** The models are the defaults of the type, and follow it until some are chosen. */
  readonly automatic: boolean;
  readonly problem: ChannelProblem | undefined;
  readonly onChange: (changes: Partial<ChannelValues>) => void;
  readonly onKey: (key: string) => void;
  readonly onBatch: (batch: boolean) => void;
}
