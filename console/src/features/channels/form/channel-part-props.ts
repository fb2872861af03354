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
  readonly problem: ChannelProblem | undefined;
  readonly onChange: (changes: Partial<ChannelValues>) => void;
  readonly onKey: (key: string) => void;
  readonly onBatch: (batch: boolean) => void;
}
