/** What a node last said of itself. */
export interface NodesTable {
  name: string;
  /** Of its process. */
  epoch: number;
  version: string;
  /** Unix seconds. */
  started_at: number;
  /** Unix seconds. */
  seen_at: number;
  /** `NodeLoad` of the contract, as JSON. */
  load: string;
}
