/** The unit of a channel's balance. */
type BalanceUnit = 'usd' | 'cny' | 'cny/10000' | 'quota';

/** How the channel form labels the base URL: the console has one text for each. */
export type AddressLabel = 'endpoint' | 'custom' | 'private' | 'host' | 'compatible';

/** How the channel form labels the member `other`: the console has one text for each. */
export type OtherLabel = 'apiVersion' | 'modelVersion' | 'plugin' | 'libraryId' | 'region' | 'botUser' | 'accountId';

/** Everything that contract, console and server know of one vendor, except its models and its wire format's code. */
export interface Vendor {
  /** The channel type on the wire. */
  readonly id: number;
  readonly name: string;
  /** Its name in Chinese texts, where it has one. */
  readonly zh?: string;
  /** Name of the display colour. */
  readonly color: string;
  /** The wire format: a name in the table of `server/src/providers/providers.ts`. */
  readonly wire: string;
  /** Used when a channel has no base URL of its own; empty: the channel must have one. */
  readonly baseUrl: string;
  /** `owned_by` of its models in a model list. */
  readonly ownedBy: string;
  /** False: its models count as other vendors' in the list of known models. */
  readonly ownsModels?: false;
  /** False: its channels serve calls that name no model. */
  readonly needsModels?: false;
  /** How a key is written, where it is no plain one; absent: a plain key. */
  readonly keyHint?: string;
  /** How the name of a model is written, where it stands for something of the account; absent: the vendor's names. */
  readonly modelHint?: string;
  /**
   * Absent: the vendor has no balance to read. `query`: a name in the table of
   * `server/src/integrations/channel-balance.ts`. `baseUrl`: the host of its billing, where it differs.
   */
  readonly balance?: { readonly query: string; readonly unit: BalanceUnit; readonly baseUrl?: string };
  /** The form's label of the base URL where it is not the usual one. `example`: the placeholder. */
  readonly address?: { readonly label: AddressLabel; readonly example?: string };
  /** What the channel's member `other` means; absent: nothing. */
  readonly other?: OtherMember;
}

export interface OtherMember {
  /** The member of a channel's `config` in which other consoles of this contract keep the same value. */
  readonly configMember: string;
  /** Absent: the form has no field for it. */
  readonly label?: OtherLabel;
  readonly example?: string;
  /** The form sends this when the field is empty. */
  readonly default?: string;
}
