import { signInTo } from '../../server/test/clients/management-client.ts';
import { rootPassword } from '../../server/test/processes/server-process.ts';
import { promptTokens } from '../../server/test/oracles/count-tokens.ts';
import { model } from '../contestant.ts';

/** Calls that the balance covers, all calls, and how many of them run at once. */
const covered = 100;
const calls = 1000;
const parallel = 64;
/** What the upstream reports of every call. */
const usage = { prompt: 128, completion: 150 };

/** As long as the upstream says, and for as many tokens as it answers with: the price is known beforehand. */
const writeBody = (): string => {
  let content = 'hello';
  const messages = () => [{ role: 'user', content }];
  while (promptTokens(messages()) < usage.prompt) content += ' hello';
  return JSON.stringify({ model, max_tokens: usage.completion, messages: messages() });
};
const body = writeBody();

export interface Exactness {
  readonly covered: number;
  readonly calls: number;
  readonly parallel: number;
  /** Calls that were answered. */
  readonly served: number;
  /** Calls that were paid; null: the gateway's own books have to be read. */
  readonly deducted: number | null;
}

interface Account {
  readonly url: string;
  readonly key: string;
}

const callOnce = async ({ url, key }: Account): Promise<number> => {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
};

/** 1,000 calls, 64 at once, on a balance for 100: how many get through. */
export const measureExactness = async (account: Account): Promise<Exactness> => {
  let [sent, served] = [0, 0];
  const worker = async (): Promise<void> => {
    while (sent < calls) {
      sent += 1;
      if ((await callOnce(account)) === 200) served += 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { covered, calls, parallel, served, deducted: null };
};

/** The same on a new Weir, whose books say what was deducted. */
export const measureWeir = async ({ url }: Pick<Account, 'url'>): Promise<Exactness> => {
  const root = await signInTo(url, 'root', rootPassword);
  const create = (rest: object) =>
    root.call<{ id: number; key: string }>('POST', '/api/token/', { name: 'exact', ...rest });
  const usedBy = async (id: number): Promise<number> =>
    (await root.call<{ used_quota: number }>('GET', `/api/token/${id}`)).used_quota;
  const probe = await create({ unlimited_quota: true });
  await callOnce({ url, key: `sk-${probe.key}` });
  const charge = await usedBy(probe.id);
  const limited = await create({ remain_quota: charge * covered });
  const measured = await measureExactness({ url, key: `sk-${limited.key}` });
  return { ...measured, deducted: (await usedBy(limited.id)) / charge };
};
