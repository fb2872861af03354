import type { NamedAnswer, RelayApp } from '../app/relay-app.ts';

/** Calls whose connection is cut, each at another byte of the answer. */
export interface CutRound {
  /** The side that closes the connection. */
  readonly by: 'client' | 'upstream';
  readonly stream: boolean;
  readonly offsets: number;
}

export interface CutReport extends CutRound {
  /** Answers that were cut after their last byte, so that the client has them in full. */
  readonly complete: number;
  readonly billed: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const atOnce = 25;
/** A plain answer is large, so that its transfer takes a while. */
const words = { stream: 60, plain: 10_000 };

const isWhole = ({ status, complete, text }: NamedAnswer): boolean =>
  status === 200 && complete && !(text.startsWith('data:') && !text.includes('[DONE]'));

/** Runs the round. Check the ledger with the gateway's `disagreements`. */
export const playCutRound = async (
  relay: RelayApp,
  { by, stream, offsets: cutCount }: CutRound,
): Promise<CutReport> => {
  const { key } = await relay.addUser();
  const answered = stream ? { words: words.stream } : { words: words.plain };
  relay.upstream.behave(() => answered);
  const size = (await relay.ask({ key, body: { stream } })).body.length;
  const offsetOf = new Map<string, number>();
  relay.upstream.behave(({ nonce }) => ({
    ...answered,
    ...(stream && { eventDelayMs: 1 }),
    ...(by === 'upstream' && { cutAfterBytes: offsetOf.get(nonce) ?? 1 }),
  }));
  const cutAt = async (index: number) => {
    const position = 1 + Math.floor((index * size) / cutCount);
    const nonce = `${by}-${stream ? 'stream' : 'plain'}-${String(index).padStart(5, '0')}`;
    offsetOf.set(nonce, position);
    const messages = [{ role: 'user', content: `Tell me about ${nonce} .` }];
    const body = JSON.stringify({ model: 'weir-test', messages, stream, user: nonce });
    return relay.ask({ key, nonce, body, ...(by === 'client' && { cutAfterBytes: position }) });
  };
  const answers: NamedAnswer[] = [];
  for (let first = 0; first < cutCount; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, cutCount - first) }, (_, index) => cutAt(first + index));
    answers.push(...(await Promise.all(some)));
  }
  await relay.settled();
  let billed = 0;
  for (const { requestId } of answers) if ((await relay.chargeOf(requestId)) !== null) billed += 1;
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return {
    by,
    stream,
    offsets: cutCount,
    complete: answers.filter(isWhole).length,
    billed,
    statuses: Object.fromEntries(Array.from(byStatus, ([status, of]) => [status, of.length])),
  };
};
