import { allowsClass } from '../../billing/price/service-class.ts';
import type { UsageBounds } from '../../billing/price/usage.ts';
import type { RoutedChannel } from '../routing/routed-channel.ts';
import { namesOtherContent } from '../state/named-content.ts';
import type { RelayedCall } from './relayed-call.ts';

/** UTF-8 bytes of a UTF-16 unit, at most. A token has at least one byte, in every encoding. */
const bytesPerCharacter = 3;

/** Vendors may limit only the visible output (xAI), raise a limit to their smallest, or count tokens that end an answer. */
const limitFactor = 2;
const limitSlack = 256;
/** Reasoning of one choice beyond the client's limit, where the report names it as such. */
const reasoningBeyondLimitMax = 32_768;
/** The longest answers of models, with reasoning that the answer does not contain (OpenAI: 128,000). */
const unlimitedMax = 131_072;

/** Prompt tokens that no byte of the request shows: instructions of vendors, knowledge bases, small images. */
const promptSlack = 131_072;
/** The largest context windows, for prompts with content that the upstream has or fetches. */
const contextMax = 10_000_000;

/**
 * The usage that a call can have caused. An upstream that reports more is in error, and its report is counted anew. The
 * bounds are wide: only what no call of this size has is refused.
 * @param characters UTF-16 units of the answer's output; may be costly, and is read for large reports alone
 */
export const usageBounds = (
  { inbound, rest }: Pick<RelayedCall, 'inbound' | 'rest'>,
  { systemPrompt }: Pick<RoutedChannel, 'systemPrompt'>,
  characters: () => number,
): UsageBounds => {
  const { audioInput, bytes, choices, outputLimit } = inbound;
  const byLimit = outputLimit === null ? unlimitedMax * choices : outputLimit * choices * limitFactor + limitSlack;
  const reasoningMax = outputLimit === null ? 0 : reasoningBeyondLimitMax * choices;
  return {
    allowsPrompt: (tokens) => {
      // The size of a recording is in its seconds, and the part of a body that was not kept is unknown.
      if (audioInput === true || rest !== null) return true;
      if (tokens <= promptSlack + bytes.length + systemPrompt.length * bytesPerCharacter) return true;
      return tokens <= contextMax + bytes.length && namesOtherContent(bytes);
    },
    allowsCompletion: (tokens, reasoning) => {
      const visible = tokens - Math.min(reasoning, reasoningMax);
      return visible <= byLimit || visible <= byLimit + characters() * bytesPerCharacter;
    },
    allowsClass: (reported) => allowsClass(inbound.serviceTier ?? '', reported),
  };
};
