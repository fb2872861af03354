import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseObject } from '../../parsing/json.ts';
import { type Counterpart, demand, type ReceivedRequest, startCounterpart } from './counterpart.ts';

/** Strict receivers of alerts on loopback: each takes only what its vendor documents, signed with the right secret. */
export interface AlertReceivers extends Counterpart {
  /** Texts that were taken, with their receiver, oldest first. */
  readonly taken: readonly { readonly by: string; readonly text: string }[];
  /** Requests to the webhook, those that were refused among them. */
  readonly webhooks: readonly ReceivedRequest[];
  /** Refuses webhooks until the function that it returns is called. */
  refuseWebhooks(): () => void;
}

export const webhookSecret = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`;
export const feishuSecret = 'feishu-secret-canary';
export const dingtalkSecret = 'SECdingtalk-secret-canary';
export const telegramToken = '123456:telegram-token-canary';

/** Seconds by which the clocks of sender and receiver may differ. */
const toleranceSeconds = 300;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** As the specification of Standard Webhooks tells receivers to verify; written without the code of the sender. */
export const verifyWebhook = ({ headers, body }: ReceivedRequest, secret: string, nowSeconds: number): string => {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  );
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return 'timestamp';
  const expected = hmac(key, `${id}.${timestamp}.${body}`);
  const isSigned = (signatures ?? '').split(' ').some((each) => {
    const [version, value = ''] = each.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? 'ok' : 'signature';
};

const membersOf = (value: object): string => Object.keys(value).toSorted().join();

const textOf = (value: unknown, member: string): string => {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;
  demand(typeof text === 'string' && text !== '', `${member} is no text`);
  return String(text);
};

/** `now`: unix milliseconds. */
export const startAlertReceivers = async (now: () => number): Promise<AlertReceivers> => {
  const taken: { by: string; text: string }[] = [];
  const webhooks: ReceivedRequest[] = [];
  let refuses = false;
  const take = (by: string, text: string, maxBytes: number): void => {
    demand(Buffer.byteLength(text) <= maxBytes, 'too long');
    taken.push({ by, text });
  };
  const jsonOf = ({ headers, body }: ReceivedRequest) => {
    demand(headers['content-type'] === 'application/json; charset=utf-8', 'no JSON');
    return parseObject(body);
  };
  const counterpart = await startCounterpart({
    'POST /hook': (request) => {
      webhooks.push(request);
      if (refuses) return { status: 500, body: 'out of order' };
      const verified = verifyWebhook(request, webhookSecret, Math.floor(now() / 1000));
      demand(verified === 'ok', verified);
      return { status: 204, body: '' };
    },
    'POST /services/T0/B0/slack': (request) => {
      const message = jsonOf(request);
      demand(membersOf(message) === 'text', 'members');
      take('slack', textOf(message, 'text'), 40_000);
      return { body: 'ok' };
    },
    'POST /open-apis/bot/v2/hook/feishu': (request) => {
      const message = jsonOf(request);
      demand(membersOf(message) === 'content,msg_type,sign,timestamp', 'members');
      const timestamp = String(message['timestamp']);
      demand(Math.abs(now() / 1000 - Number(timestamp)) <= 3600, 'timestamp');
      const sign = hmac(`${timestamp}\n${feishuSecret}`, '').toString('base64');
      if (message['sign'] !== sign || message['msg_type'] !== 'text')
        return { body: { code: 19021, msg: 'sign match fail or timestamp is not within one hour from current time' } };
      take('feishu', textOf(message['content'], 'text'), 20_000);
      return { body: { code: 0, msg: 'success', data: {} } };
    },
    'POST /robot/send': (request) => {
      const { query } = request;
      const message = jsonOf(request);
      demand(membersOf(message) === 'msgtype,text' && message['msgtype'] === 'text', 'members');
      const timestamp = String(query.get('timestamp'));
      const sign = hmac(dingtalkSecret, `${timestamp}\n${dingtalkSecret}`).toString('base64');
      if (query.get('access_token') !== 'dingtalk' || query.get('sign') !== sign)
        return { body: { errcode: 310_000, errmsg: 'sign not match' } };
      demand(/^\d{13}$/.test(timestamp) && Math.abs(now() - Number(timestamp)) <= 3_600_000, 'timestamp');
      take('dingtalk', textOf(message['text'], 'content'), 20_000);
      return { body: { errcode: 0, errmsg: 'ok' } };
    },
    'POST /cgi-bin/webhook/send': (request) => {
      const message = jsonOf(request);
      demand(membersOf(message) === 'msgtype,text' && message['msgtype'] === 'text', 'members');
      if (request.query.get('key') !== 'wecom') return { body: { errcode: 93_000, errmsg: 'invalid webhook url' } };
      take('wecom', textOf(message['text'], 'content'), 2048);
      return { body: { errcode: 0, errmsg: 'ok' } };
    },
    [`POST /bot${telegramToken}/sendMessage`]: (request) => {
      const message = jsonOf(request);
      demand(membersOf(message) === 'chat_id,text', 'members');
      if (message['chat_id'] !== '-100200')
        return { status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: chat not found' } };
      take('telegram', textOf(message, 'text'), 4096);
      return { body: { ok: true, result: { message_id: 1 } } };
    },
  });
  return {
    ...counterpart,
    taken,
    webhooks,
    refuseWebhooks: () => {
      refuses = true;
      return () => void (refuses = false);
    },
  };
};
