import type { Route } from '@weir/contract/channel-route';
import type { RefusalChannel } from '@weir/contract/logs';
import type { RefusedCall } from '../../relay/call/relay-observer.ts';
import type { NewRefusal } from '../../store/refusals/refusals.ts';

/** Characters of what a client chose, so that a record has a few kilobytes at most. */
export const textMax = 128;
const messageMax = 500;
const channelsMax = 20;
const restsMax = 5;
/** Routes that one write completes with the disabled channels of their model. */
const completedMax = 20;

/** A record whose route may lack the disabled channels. */
export interface WaitingRefusal {
  readonly row: Omit<NewRefusal, 'detail'>;
  readonly attempts: RefusedCall['attempts'];
  readonly enabled: Route['channels'] | null;
  readonly route: RefusedCall['route'];
}

/** A record of a call, made at its refusal: its route is that of this moment. */
export const toWaiting = (
  call: RefusedCall,
  at: number,
  source: { address: string; network: string },
): WaitingRefusal => {
  const { access, route } = call;
  return {
    row: {
      created_at: at,
      user_id: access?.payer.userId ?? 0,
      username: access?.username ?? '',
      token_id: access?.payer.tokenId ?? 0,
      token_name: access?.tokenName ?? '',
      group: access?.group ?? '',
      model_name: call.model.slice(0, textMax),
      path: call.path.slice(0, textMax),
      rule: call.rule,
      status: call.status,
      message: call.message.slice(0, messageMax),
      retry_after: call.retryAfter.slice(0, textMax),
      request_id: call.requestId,
      elapsed_time: call.ms,
      is_stream: call.stream ? 1 : 0,
      key_tail: call.keyTail,
      ...source,
    },
    attempts: [...call.attempts],
    enabled: route?.enabled() ?? null,
    route,
  };
};

const toChannel = ({ id, name, verdict, rests }: Route['channels'][number]): RefusalChannel => ({
  id,
  name: name.slice(0, textMax),
  verdict,
  rests: rests.slice(0, restsMax),
});

const detailOf = ({ enabled, attempts }: WaitingRefusal, disabled: Route['channels']): string => {
  const route = enabled === null ? null : [...enabled, ...disabled].slice(0, channelsMax).map(toChannel);
  return JSON.stringify({ route, attempts });
};

/** The rows of records. The disabled channels of a model are read once for all its records. */
export const toRows = async (waiting: readonly WaitingRefusal[]): Promise<NewRefusal[]> => {
  const known = new Map<string, Route['channels']>();
  const rows: NewRefusal[] = [];
  for (const record of waiting) {
    const { row, route } = record;
    const asked = JSON.stringify([row.model_name, row.group, row.path]);
    if (route !== null && !known.has(asked) && known.size < completedMax) known.set(asked, await route.disabled());
    rows.push({ ...row, detail: detailOf(record, route === null ? [] : (known.get(asked) ?? [])) });
  }
  return rows;
};
