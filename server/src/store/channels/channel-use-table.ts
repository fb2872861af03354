/** What the nodes of a PostgreSQL charged through a channel since it was last added to the channel's row. */
export interface ChannelUsesTable {
  channel_id: number;
  /** The name of the node. */
  node: string;
  used: number;
}
