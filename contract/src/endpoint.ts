import type { GenericSchema, InferInput, InferOutput } from 'valibot';

/** The least role that may make a call. Order and numbers: `roles.ts`. */
export type Access = 'public' | 'user' | 'admin' | 'root';

/**
 * One call of the management API as data. The server's `route()`, the console's `call()`, the OpenAPI
 * description and the access matrix all read the same constant, so none of them can disagree.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Canonical path with `:name` parameters. The server also answers the other trailing-slash form. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  /** True when the call changes something: the cross-site rule then applies, whatever the method. */
  readonly effect: boolean;
  /** One sentence for the API description. */
  readonly summary: string;
  /** Reads the raw path parameters (text). */
  readonly params?: GenericSchema;
  /** Reads the raw query (text, or a list of texts where a member is repeated). */
  readonly query?: GenericSchema;
  readonly body?: GenericSchema;
  /** The longest body, in bytes; absent: as long as most calls may have. */
  readonly bodyMaxBytes?: number;
  /** The HTTP status of a body that cannot be read; absent: an ordinary failure, with status 200 (wire contract 1.2). */
  readonly malformed?: 400;
  /** `data` of the answer; absent where the call has nothing to return. */
  readonly data?: GenericSchema;
  /** Members beside `success`, `message` and `data`, which some calls of the contract have. */
  readonly extra?: GenericSchema;
  /** `bare`: the answer is `data` itself without the envelope (`GET /api/channel/models`). */
  readonly form?: 'bare';
  /** The answer to the first page tells the length of the whole list in the header `totalHeader`, where that is cheap. */
  readonly counted?: true;
  /** Media types of the file that is the answer; a refusal is in the envelope as ever. */
  readonly files?: readonly string[];
}

/** Every answer of the management API (wire contract 1.1). `data` is left out, never null. */
export interface Envelope<Data> {
  readonly success: boolean;
  readonly message: string;
  readonly data?: Data;
}

type Input<S> = S extends GenericSchema ? InferInput<S> : never;
type Output<S> = S extends GenericSchema ? InferOutput<S> : never;

/** Input of a caller, before parsing. */
export type ParamsInput<E extends Endpoint> = Input<E['params']>;
export type QueryInput<E extends Endpoint> = Input<E['query']>;
export type BodyInput<E extends Endpoint> = Input<E['body']>;
/** Input of a handler, after parsing. */
export type ParamsOf<E extends Endpoint> = Output<E['params']>;
export type QueryOf<E extends Endpoint> = Output<E['query']>;
export type BodyOf<E extends Endpoint> = Output<E['body']>;
export type DataOf<E extends Endpoint> = Output<E['data']>;
export type ExtraOf<E extends Endpoint> = Output<E['extra']>;

/** Keeps the literal types of an endpoint constant while checking its shape. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;
