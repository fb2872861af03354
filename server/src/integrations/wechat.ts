import { anyTextInput } from '@weir/contract/wire';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { reach } from './external-account.ts';
import type { Outbound } from './outbound.ts';
import { readJson } from './read-json.ts';

export interface WechatDeps {
  readonly outbound: Outbound;
  readonly options: { text(key: 'WeChatServerAddress' | 'WeChatServerToken'): string };
}

/** Resolves a code of the chat app to the user's id there. Throws an `AppError` that names the cause. */
export type WechatIdOf = (code: string) => Promise<string>;

const unreachable = (cause: unknown) => new AppError('wechat_unreachable', {}, cause);

const idMax = 255;
/** Characters of the login server's message that are shown to users. */
const messageMax = 200;

const answerSchema = v.object({
  success: v.boolean(),
  message: v.nullish(anyTextInput, ''),
  data: v.nullish(anyTextInput, ''),
});

/** The chat app's login server: it knows which of its followers was sent which code (wire contract 5.3). */
export const createWechat =
  ({ outbound, options }: WechatDeps): WechatIdOf =>
  async (code) => {
    const { text } = await reach(outbound, unreachable, {
      method: 'GET',
      url: `${options.text('WeChatServerAddress')}/api/wechat/user?code=${encodeURIComponent(code)}`,
      headers: { authorization: options.text('WeChatServerToken') },
    });
    const answer = readJson(answerSchema, text);
    if (answer === undefined) throw new AppError('wechat_unreachable');
    if (!answer.success && answer.message !== '') {
      throw new AppError('wechat_refused', { message: answer.message.slice(0, messageMax) });
    }
    if (!answer.success || answer.data === '' || answer.data.length > idMax) throw new AppError('code_invalid');
    return answer.data;
  };
