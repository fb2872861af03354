import type { ChargedPart } from '@weir/contract/prices/usage-parts';
import type { Tokens } from '../../billing/price/price.ts';
import { acceptParts, isChargedPart, type PartTokens } from '../../billing/price/usage-parts.ts';
import { acceptUsage } from '../../billing/price/usage.ts';
import { type Json, objectAt, textAt } from '../../conversation/json.ts';
import { countOf } from '../../conversation/usage.ts';
import { OpenAnswer } from './open-answer.ts';
import { PromptMeter, type PromptSize } from './prompt-meter.ts';
import { transcriberOf, transcriptAsAudio, transcriptTokens } from './transcript-usage.ts';

/** The usage of a session. */
export interface SessionUsage extends Tokens {
  readonly parts: PartTokens;
  /** Some of it was counted by the gateway. */
  readonly estimated: boolean;
}

const audioDelta = /^response\.(?:output_)?audio\.delta$/;
const textDelta = /^response\.(?:(?:output_)?(?:text|audio_transcript)|function_call_arguments)\.delta$/;

/** Cached tokens have one price, whatever they are of: the other parts are counted without them. */
const partsOf = (usage: Json) => {
  const prompt = objectAt(usage, 'input_token_details');
  const cached = objectAt(prompt, 'cached_tokens_details');
  const fresh = (name: string) => Math.max(0, countOf(prompt[name]) - countOf(cached[name]));
  return {
    cacheRead: prompt['cached_tokens'],
    audioPrompt: fresh('audio_tokens'),
    imagePrompt: fresh('image_tokens'),
    audioCompletion: objectAt(usage, 'output_token_details')['audio_tokens'],
  };
};

/** Sums of tokens, part by part. */
class Sums {
  prompt = 0;
  completion = 0;
  readonly parts: Partial<Record<ChargedPart, number>> = {};

  add({ prompt, completion, parts = {} }: Tokens): this {
    this.prompt += prompt;
    this.completion += completion;
    for (const [name, tokens] of Object.entries(parts))
      if (isChargedPart(name) && tokens > 0) this.parts[name] = (this.parts[name] ?? 0) + tokens;
    return this;
  }

  total(estimated: boolean): SessionUsage {
    return { prompt: this.prompt, completion: this.completion, parts: this.parts, estimated };
  }
}

/**
 * Computes the usage of a session from its messages: what the upstream reports of each answer, and until then an estimate
 * that is rather too high. Source: platform.openai.com, Realtime API reference; the names of its beta too.
 */
export class RealtimeMeter {
  /** The model that makes transcripts, as `transcriberOf` reads it. */
  private transcriber = '';
  private readonly promptMeter = new PromptMeter();
  private readonly reported = new Sums();
  private readonly open = new Map<string, OpenAnswer>();
  /** Answers that ended without a report. */
  private readonly unreported: OpenAnswer[] = [];
  private readonly hasTranscriptPrice: (transcriber: string) => boolean;

  /** @param hasTranscriptPrice whether the transcripts of a model have the price of that model */
  constructor(hasTranscriptPrice: (transcriber: string) => boolean) {
    this.hasTranscriptPrice = hasTranscriptPrice;
  }

  /** Answers that are running. */
  answering(): number {
    return this.open.size;
  }

  promptSize(): PromptSize {
    return this.promptMeter.size();
  }

  /** Tokens that the hold must cover by now, with those of answers that were asked for. */
  reached(requested: readonly Tokens[] = []): SessionUsage {
    const sums = new Sums().add(this.reported);
    for (const tokens of requested) sums.add(tokens);
    const rest = [...this.open.values(), ...this.unreported];
    for (const answer of rest) sums.add(answer.estimate(answer.textTokens));
    return sums.total(rest.length > 0);
  }

  /** The usage of the session; the texts of unreported answers are counted exactly. An empty answer is free. */
  async used(count: (text: string) => Promise<number>): Promise<SessionUsage> {
    const sums = new Sums().add(this.reported);
    const all = [...this.open.values(), ...this.unreported];
    const rest = all.filter((answer) => answer.hasOutput());
    for (const answer of rest) sums.add(answer.estimate(await count(answer.text)));
    return sums.total(rest.length > 0);
  }

  fromClient(message: Json): void {
    this.promptMeter.fromClient(message);
  }

  fromUpstream(message: Json): void {
    const type = textAt(message, 'type');
    if (type.endsWith('.delta')) return this.onDelta(type, message);
    this.promptMeter.fromUpstream(message);
    switch (type) {
      case 'session.created':
      case 'session.updated':
        this.transcriber = transcriberOf(objectAt(message, 'session'));
        break;
      case 'conversation.item.input_audio_transcription.completed':
        this.onTranscript(objectAt(message, 'usage'));
        break;
      case 'response.created': {
        const id = textAt(objectAt(message, 'response'), 'id');
        this.open.set(id, new OpenAnswer(this.promptMeter.size()));
        break;
      }
      case 'response.done':
        this.onDone(objectAt(message, 'response'));
        break;
    }
  }

  private onDelta(type: string, message: Json): void {
    const answer = this.open.get(textAt(message, 'response_id'));
    const delta = textAt(message, 'delta');
    if (audioDelta.test(type)) answer?.addAudio(this.promptMeter.outputAudio(delta));
    else if (textDelta.test(type)) answer?.addText(delta);
  }

  private onTranscript(usage: Json): void {
    const hasPrice = this.transcriber !== '' && this.hasTranscriptPrice(this.transcriber);
    this.reported.add(hasPrice ? transcriptTokens(usage) : transcriptAsAudio(usage));
  }

  private onDone(response: Json): void {
    const id = textAt(response, 'id');
    const answer = this.open.get(id) ?? new OpenAnswer({ prompt: 0, audioPrompt: 0 });
    this.open.delete(id);
    const usage = objectAt(response, 'usage');
    const report = { prompt: usage['input_tokens'], completion: usage['output_tokens'], total: usage['total_tokens'] };
    const accepted = acceptUsage(report, answer.hasOutput());
    if (accepted.prompt === null || accepted.completion === null) {
      // A failed answer is free.
      if (response['status'] !== 'failed') this.unreported.push(answer);
      return;
    }
    const { prompt, completion } = accepted;
    const parts = acceptParts(partsOf(usage), { prompt, completion });
    this.reported.add({ prompt, completion, parts });
    const audio = countOf(objectAt(usage, 'input_token_details')['audio_tokens']) + (parts.audio_completion ?? 0);
    this.promptMeter.onReported(answer, { prompt: prompt + completion, audioPrompt: audio });
  }
}
