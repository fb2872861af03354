import type { NamedAnswer, RelayApp } from '../app/relay-app.ts';

/** Calls whose connection is cut at so many places of their answer, one call for each. */
export interface CutRound {
  /** Who hangs up. */
  readonly by: 'client' | 'upstream';
  readonly stream: boolean;
  readonly places: number;
}

export interface CutReport extends CutRound {
  /** Answers that reached their client in whole all the same: cut behind their last byte. */
  readonly complete: number;
  readonly billed: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const atOnce = 25;
/** A plain answer is large enough to be on its way for a while. */
const words = { stream: 60, plain: 10_000 };

const isWhole = ({ status, complete, text }: NamedAnswer): boolean =>
  status === 200 && complete && !(text.startsWith('data:') && !text.includes('[DONE]'));

/** Plays the round; what the ledger says of it `disagreements` of the gateway tells. */
export const playCutRound = async (relay: RelayApp, { by, stream, places }: CutRound): Promise<CutReport> => {
  const { key } = await relay.addUser();
  const answered = stream ? { words: words.stream } : { words: words.plain };
  relay.upstream.behave(() => answered);
  const size = (await relay.ask({ key, body: { stream } })).body.length;
  const placeOf = new Map<string, number>();
  relay.upstream.behave(({ nonce }) => ({
    ...answered,
    ...(stream && { eventDelayMs: 1 }),
    ...(by === 'upstream' && { cutAfterBytes: placeOf.get(nonce) ?? 1 }),
  }));
  const cutAt = async (index: number) => {
    const place = 1 + Math.floor((index * size) / places);
    const nonce = `${by}-${stream ? 'stream' : 'plain'}-${String(index).padStart(5, '0')}`;
    placeOf.set(nonce, place);
    const messages = [{ role: 'user', content: `Tell me about ${nonce} .` }];
    const body = JSON.stringify({ model: 'weir-test', messages, stream, user: nonce });
    return relay.ask({ key, nonce, body, ...(by === 'client' && { cutAfterBytes: place }) });
  };
  const answers: NamedAnswer[] = [];
  for (let first = 0; first < places; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, places - first) }, (_, index) => cutAt(first + index));
    answers.push(...(await Promise.all(some)));
  }
  await relay.settled();
  let billed = 0;
  for (const { requestId } of answers) if ((await relay.chargeOf(requestId)) !== null) billed += 1;
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return {
    by,
    stream,
    places,
    complete: answers.filter(isWhole).length,
    billed,
    statuses: Object.fromEntries(Array.from(byStatus, ([status, of]) => [status, of.length])),
  };
};
