import { one, parseRatio, ratio, type Ratio } from './ratio.ts';

const of = (text: string): Ratio => parseRatio(text) ?? one;

const gpt = (name: string): Ratio | null => {
  if (name.startsWith('gpt-3.5')) {
    if (name === 'gpt-3.5-turbo' || name.endsWith('0125')) return of('3');
    return name.endsWith('1106') ? of('2') : ratio(4n, 3n);
  }
  if (name.startsWith('gpt-4o')) return of(name === 'gpt-4o-2024-05-13' ? '3' : '4');
  if (name.startsWith('gpt-4')) return of(name.startsWith('gpt-4-turbo') || name.endsWith('preview') ? '3' : '2');
  return null;
};

const prefixes: readonly (readonly [string, Ratio])[] = [
  ['o1', of('4')],
  ['chatgpt-4o-latest', of('3')],
  ['claude-3', of('5')],
  ['claude-', of('3')],
  ['mistral-', of('3')],
  ['gemini-', of('3')],
  ['deepseek-', of('2')],
];

const names = new Map<string, Ratio>([
  ['llama2-70b-4096', of('1.25')],
  ['llama3-8b-8192', of('2')],
  ['llama3-70b-8192', ratio(79n, 59n)],
  ['command', of('2')],
  ['command-light', of('2')],
  ['command-nightly', of('2')],
  ['command-light-nightly', of('2')],
  ['command-r', of('3')],
  ['command-r-plus', of('5')],
  ['grok-beta', of('3')],
  ['ibm-granite/granite-20b-code-instruct-8k', of('5')],
  ['ibm-granite/granite-3.0-8b-instruct', of('5')],
  ['ibm-granite/granite-8b-code-instruct-128k', of('5')],
  ['ibm-granite/granite-3.0-2b-instruct', of('8.333333333333334')],
  ['meta/llama-2-7b', of('5')],
  ['meta/llama-2-7b-chat', of('5')],
  ['meta/llama-2-13b', of('5')],
  ['meta/llama-2-13b-chat', of('5')],
  ['meta/llama-2-70b', ratio(275n, 65n)],
  ['meta/llama-2-70b-chat', ratio(275n, 65n)],
  ['meta/meta-llama-3-8b', of('5')],
  ['meta/meta-llama-3-8b-instruct', of('5')],
  ['meta/meta-llama-3-70b', ratio(275n, 65n)],
  ['meta/meta-llama-3-70b-instruct', ratio(275n, 65n)],
  ['mistralai/mistral-7b-instruct-v0.2', of('5')],
  ['mistralai/mistral-7b-v0.1', of('5')],
  ['mistralai/mixtral-8x7b-instruct-v0.1', ratio(10n, 3n)],
]);

/** The price of a completion token relative to a prompt token for models that no table names (wire contract 3.6). */
export const builtInCompletionRatio = (model: string): Ratio =>
  gpt(model) ?? prefixes.find(([prefix]) => model.startsWith(prefix))?.[1] ?? names.get(model) ?? one;
