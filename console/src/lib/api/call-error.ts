/** A failed call. `status` is absent if the server was not reached or refused with HTTP 200. */
export class CallError extends Error {
  readonly kind: 'refused' | 'http' | 'unreachable';
  readonly status: number | undefined;

  constructor(kind: CallError['kind'], message: string, status?: number) {
    super(message);
    this.name = 'CallError';
    this.kind = kind;
    this.status = status;
  }
}
