import type { Answer, Finish, StreamEvent } from '../../conversation/answer.ts';
import type { Usage } from '../../conversation/usage.ts';
import { textsOf } from '../../conversation/text.ts';
import type { AnswerFacts, Conversion, EventWriter } from '../dialect.ts';
import { finishReasons, usageObject } from './openai-chat-answer.ts';

const headOf = ({ requestId, model, created }: AnswerFacts) => ({
  id: `cmpl-${requestId}`,
  object: 'text_completion',
  created,
  model,
});

const choiceOf = (text: string, finish: Finish | null) => ({
  text,
  index: 0,
  logprobs: null,
  finish_reason: finish === null ? null : finishReasons[finish],
});

const answer = ({ parts, finish, usage }: Answer, facts: AnswerFacts): Buffer => {
  const text = textsOf(parts, 'text') + textsOf(parts, 'refusal');
  const usageMember = usage === null ? {} : { usage: usageObject(usage) };
  return Buffer.from(JSON.stringify({ ...headOf(facts), choices: [choiceOf(text, finish)], ...usageMember }));
};

/** Writes one stream, and adds the finish event where it is missing. */
const stream = (facts: AnswerFacts): EventWriter => {
  const head = headOf(facts);
  let finished = false;
  let usage: Usage | null = null;
  const event = (members: object): string => `data: ${JSON.stringify({ ...head, ...members })}\n\n`;
  const chunk = (text: string, finish: Finish | null): string =>
    event({ choices: [choiceOf(text, finish)], ...(facts.includeUsage && { usage: null }) });
  const finishWith = (finish: Finish): string => {
    if (finished) return '';
    finished = true;
    return chunk('', finish);
  };
  const writeOne = (step: StreamEvent): string => {
    switch (step.kind) {
      case 'text':
      case 'refusal':
        return finished ? '' : chunk(step.text, null);
      case 'finish':
        return finishWith(step.finish);
      case 'usage':
        ({ usage } = step);
        return '';
      case 'start':
      case 'reasoning':
      case 'signature':
      case 'image':
      case 'tool_start':
      case 'tool_arguments':
        return '';
    }
  };
  const usageChunk = (): string =>
    facts.includeUsage && usage !== null ? event({ choices: [], usage: usageObject(usage) }) : '';
  return {
    write: (events) => {
      const text = events.map(writeOne).join('');
      return text === '' ? null : Buffer.from(text);
    },
    end: () => Buffer.from(`${finishWith('stop')}${usageChunk()}data: [DONE]\n\n`),
  };
};

/** Answers of other vendors as completions: of the output of a chat, the text alone (provider notes 19.2). */
export const completionsConversion: Conversion = { answer, stream };
