import { anyTextInput } from '@weir/contract/wire';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { type ExchangeCode, reach, refusedCode, unreachableProvider } from './external-account.ts';
import type { Outbound } from './outbound.ts';
import { readJson } from './read-json.ts';

export interface LarkDeps {
  readonly outbound: Outbound;
  readonly options: { text(key: 'LarkClientId' | 'LarkClientSecret'): string };
  /** The open platform, without a slash at its end. */
  readonly larkUrl: string;
}

const provider = 'Lark';
const unreachable = unreachableProvider(provider);

const tokenAnswer = v.object({ access_token: v.optional(anyTextInput, ''), error: v.optional(anyTextInput) });
const userAnswer = v.object({
  code: v.literal(0),
  data: v.object({ open_id: v.pipe(anyTextInput, v.nonEmpty(), v.maxLength(255)), name: v.nullish(anyTextInput, '') }),
});

/** Sign-in at Lark's open platform: `authen/v2/oauth/token`, which takes JSON, then `authen/v1/user_info`. */
export const createLark = ({ outbound, options, larkUrl }: LarkDeps): ExchangeCode => {
  return async ({ code, verifier, origin }) => {
    const answer = await reach(outbound, unreachable, {
      method: 'POST',
      url: `${larkUrl}/open-apis/authen/v2/oauth/token`,
      json: {
        grant_type: 'authorization_code',
        client_id: options.text('LarkClientId'),
        client_secret: options.text('LarkClientSecret'),
        code,
        redirect_uri: `${origin}/oauth/lark`,
        ...(verifier === undefined ? {} : { code_verifier: verifier }),
      },
    });
    const token = readJson(tokenAnswer, answer.text);
    if (token === undefined || token.access_token === '') throw refusedCode(provider, token?.error);
    const { text } = await reach(outbound, unreachable, {
      method: 'GET',
      url: `${larkUrl}/open-apis/authen/v1/user_info`,
      headers: { authorization: `Bearer ${token.access_token}` },
    });
    const user = readJson(userAnswer, text);
    if (user === undefined) throw new AppError('oauth_answer_illegal');
    return { id: user.data.open_id, login: '', name: user.data.name, email: '' };
  };
};
