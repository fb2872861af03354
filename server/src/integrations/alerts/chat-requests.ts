import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { readJson } from '../read-json.ts';
import type { OutboundAnswer, OutboundCall } from '../outbound.ts';

/** Where messages go, opened: a URL or chat, and the secret of the vendor. */
export interface ChatTarget {
  readonly address: string;
  readonly secret: string;
  readonly server: string;
}

/** A request of a vendor's documented webhook, and how its answer is read. */
interface ChatProtocol {
  /** `nowMs`: unix milliseconds, which signatures hold. */
  request(target: ChatTarget, text: string, nowMs: number): OutboundCall;
  /** Undefined: the message was taken; else why not. */
  refusal(answer: OutboundAnswer): string | undefined;
}

/** Characters of a vendor's refusal that are passed on. */
const refusalMax = 200;

const post = (url: string, json: object): OutboundCall => ({ method: 'POST', url, json });

/** The start of a text of at most so many bytes in UTF-8. */
const cutToBytes = (text: string, max: number): string => {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  return `${bytes
    .subarray(0, max - 4)
    .toString('utf8')
    .replace(/�+$/, '')}…`;
};

const textMaxBytes = { slack: 8000, feishu: 8000, dingtalk: 8000, wecom: 2048, telegram: 4096 } as const;

/** Answers with a number that is 0 where the message was taken, and a text. */
const numbered = (code: string, text: string): ChatProtocol['refusal'] => {
  const schema = v.object({ [code]: v.number(), [text]: v.optional(v.string(), '') });
  return ({ status, text: body }) => {
    const read = readJson(schema, body);
    if (status !== 200 || read === undefined) return `status ${status}`;
    return read[code] === 0 ? undefined : `${read[code]} ${String(read[text])}`.slice(0, refusalMax);
  };
};

const slackEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const slack: ChatProtocol = {
  request: ({ address }, text) =>
    post(address, {
      text: cutToBytes(text, textMaxBytes.slack).replace(/[&<>]/g, (found) => slackEscapes[found] ?? ''),
    }),
  refusal: ({ status, text }) =>
    status === 200 && text.trim() === 'ok' ? undefined : `status ${status} ${text}`.slice(0, refusalMax),
};

/** Its signature is of an empty text, with timestamp and secret as the key. */
const feishu: ChatProtocol = {
  request: ({ address, secret }, text, nowMs) => {
    const timestamp = String(Math.floor(nowMs / 1000));
    const sign = createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64');
    const signed = secret === '' ? {} : { timestamp, sign };
    return post(address, {
      ...signed,
      msg_type: 'text',
      content: { text: cutToBytes(text, textMaxBytes.feishu) },
    });
  },
  refusal: numbered('code', 'msg'),
};

const dingtalk: ChatProtocol = {
  request: ({ address, secret }, text, nowMs) => {
    const url = new URL(address);
    if (secret !== '') {
      url.searchParams.set('timestamp', String(nowMs));
      url.searchParams.set('sign', createHmac('sha256', secret).update(`${nowMs}\n${secret}`).digest('base64'));
    }
    return post(url.href, { msgtype: 'text', text: { content: cutToBytes(text, textMaxBytes.dingtalk) } });
  },
  refusal: numbered('errcode', 'errmsg'),
};

const wecom: ChatProtocol = {
  request: ({ address }, text) =>
    post(address, { msgtype: 'text', text: { content: cutToBytes(text, textMaxBytes.wecom) } }),
  refusal: numbered('errcode', 'errmsg'),
};

const telegramServer = 'https://api.telegram.org';
const telegramAnswer = v.object({ ok: v.boolean(), description: v.optional(v.string(), '') });

const telegram: ChatProtocol = {
  request: ({ address, secret, server }, text) =>
    post(`${(server || telegramServer).replace(/\/+$/, '')}/bot${secret}/sendMessage`, {
      chat_id: address,
      text: cutToBytes(text, textMaxBytes.telegram),
    }),
  refusal: ({ status, text }) => {
    const read = readJson(telegramAnswer, text);
    if (read === undefined) return `status ${status}`;
    return read.ok ? undefined : read.description.slice(0, refusalMax);
  },
};

/** By the kind of destination. */
export const chatProtocols = { slack, feishu, dingtalk, wecom, telegram } as const;
