import type { ChannelProblem, ChannelValues } from './channel-values.ts';

/** The key being typed and what the form does with it. */
interface ChannelSecret {
  readonly key: string;
  /** One key a line. */
  readonly batch: boolean;
  readonly batchAllowed: boolean;
  /** The server has one; an empty field keeps it. */
  readonly stored: boolean;
}

/** What every part of the channel form gets. */
export interface ChannelPartProps {
  readonly values: ChannelValues;
  readonly secret: ChannelSecret;
  readonly problem: ChannelProblem | undefined;
  readonly onChange: (changes: Partial<ChannelValues>) => void;
  readonly onKey: (key: string) => void;
  readonly onBatch: (batch: boolean) => void;
}
