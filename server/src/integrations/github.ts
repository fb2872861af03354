import { anyTextInput } from '@weir/contract/wire';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { type ExchangeCode, reach, refusedCode, unreachableProvider } from './external-account.ts';
import type { Outbound } from './outbound.ts';
import { readJson } from './read-json.ts';

export interface GithubDeps {
  readonly outbound: Outbound;
  readonly options: { text(key: 'GitHubClientId' | 'GitHubClientSecret'): string };
  /** The code host, without a slash at its end. */
  readonly githubUrl: string;
}

const provider = 'GitHub';
const unreachable = unreachableProvider(provider);

const tokenAnswer = v.object({ access_token: v.optional(anyTextInput, ''), error: v.optional(anyTextInput) });
const nullableText = v.nullish(anyTextInput, '');
const userAnswer = v.object({
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  login: v.pipe(anyTextInput, v.nonEmpty()),
  name: nullableText,
  email: nullableText,
});

/** github.com has its API at a host of its own, GitHub Enterprise Server below its own address. */
const apiOf = (githubUrl: string): string =>
  new URL(githubUrl).host === 'github.com' ? 'https://api.github.com' : `${githubUrl}/api/v3`;

/**
 * The web application flow of GitHub's OAuth apps. Its token endpoint answers refusals with status 200. The address of
 * the profile is one that its owner had to verify.
 */
export const createGithub = ({ outbound, options, githubUrl }: GithubDeps): ExchangeCode => {
  const tokenFor: (code: string, verifier: string | undefined) => Promise<string> = async (code, verifier) => {
    const { text } = await reach(outbound, unreachable, {
      method: 'POST',
      url: `${githubUrl}/login/oauth/access_token`,
      json: {
        client_id: options.text('GitHubClientId'),
        client_secret: options.text('GitHubClientSecret'),
        code,
        ...(verifier === undefined ? {} : { code_verifier: verifier }),
      },
    });
    const answer = readJson(tokenAnswer, text);
    if (answer === undefined || answer.access_token === '') throw refusedCode(provider, answer?.error);
    return answer.access_token;
  };
  return async ({ code, verifier }) => {
    const token = await tokenFor(code, verifier);
    const { text } = await reach(outbound, unreachable, {
      method: 'GET',
      url: `${apiOf(githubUrl)}/user`,
      headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
    });
    const user = readJson(userAnswer, text);
    if (user === undefined) throw new AppError('oauth_answer_illegal');
    return { id: String(user.id), login: user.login, name: user.name, email: user.email };
  };
};
