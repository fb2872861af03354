import type { ChargedPart } from '@weir/contract/usage-parts';
import { roughTokens } from '../../billing/counting/rough-tokens.ts';
import type { Tokens } from '../../billing/price/price.ts';
import { acceptParts, isChargedPart, type PartTokens } from '../../billing/price/usage-parts.ts';
import { acceptUsage } from '../../billing/price/usage.ts';
import { type Json, numberAt, objectAt, textAt } from '../../conversation/json.ts';
import { countOf } from '../../conversation/usage.ts';
import { tokensOfSeconds } from '../../providers/openai/openai-transcriptions.ts';
import { audioTokenMs, PromptMeter, type PromptSize } from './prompt-meter.ts';

/** An answer whose usage is not reported, or not yet. */
interface OpenAnswer extends PromptSize {
  text: string;
  /** Tokens of `text`, rather too many than too few. */
  textTokens: number;
  audioTokens: number;
}

/** The usage of a session. */
export interface SessionUsage extends Tokens {
  readonly parts: PartTokens;
  /** Some of it was counted by the gateway. */
  readonly estimated: boolean;
}

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

/** The cost of an answer, as far as the gateway knows it. */
const estimateOf = ({ prompt, audioPrompt, audioTokens }: OpenAnswer, textTokens: number): Tokens => ({
  prompt,
  completion: Math.ceil(textTokens) + audioTokens,
  parts: { audio_prompt: audioPrompt, audio_completion: audioTokens },
});

const transcriberOf = (session: Json): string => {
  const transcription = objectAt(objectAt(objectAt(session, 'audio'), 'input'), 'transcription');
  return textAt(transcription, 'model') || textAt(objectAt(session, 'input_audio_transcription'), 'model');
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
  /** The model that makes transcripts; empty: none, or it is not known. */
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

  /** An answer is running. */
  isAnswering(): boolean {
    return this.open.size > 0;
  }

  /** Tokens that the hold must cover by now. */
  reached(): SessionUsage {
    const sums = new Sums().add(this.reported);
    const rest = [...this.open.values(), ...this.unreported];
    for (const answer of rest) sums.add(estimateOf(answer, answer.textTokens));
    return sums.total(rest.length > 0);
  }

  /** The usage of the session; the texts of unreported answers are counted exactly. An empty answer is free. */
  async used(count: (text: string) => Promise<number>): Promise<SessionUsage> {
    const sums = new Sums().add(this.reported);
    const all = [...this.open.values(), ...this.unreported];
    const rest = all.filter(({ text, audioTokens }) => text !== '' || audioTokens > 0);
    for (const answer of rest) sums.add(estimateOf(answer, await count(answer.text)));
    return sums.total(rest.length > 0);
  }

  fromClient(message: Json): void {
    this.promptMeter.fromClient(message);
  }

  fromUpstream(message: Json): void {
    const type = textAt(message, 'type');
    if (type.endsWith('.delta')) return this.onDelta(type, message);
    switch (type) {
      case 'session.created':
      case 'session.updated':
        this.promptMeter.onSession(objectAt(message, 'session'));
        this.transcriber = transcriberOf(objectAt(message, 'session'));
        break;
      case 'input_audio_buffer.speech_started':
        this.promptMeter.onSpeechStarted(message);
        break;
      case 'input_audio_buffer.speech_stopped':
        this.promptMeter.onSpeechStopped(message);
        break;
      case 'input_audio_buffer.committed':
        this.promptMeter.onCommitted();
        break;
      case 'conversation.item.input_audio_transcription.completed':
        this.onTranscript(objectAt(message, 'usage'));
        break;
      case 'response.created': {
        const id = textAt(objectAt(message, 'response'), 'id');
        this.open.set(id, { ...this.promptMeter.size(), text: '', textTokens: 0, audioTokens: 0 });
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
    if (answer === undefined) return;
    if (/^response\.(?:output_)?audio\.delta$/.test(type)) {
      answer.audioTokens += this.promptMeter.outputAudio(delta);
    } else if (/^response\.(?:(?:output_)?(?:text|audio_transcript)|function_call_arguments)\.delta$/.test(type)) {
      answer.text += delta;
      answer.textTokens += roughTokens(delta);
    }
  }

  private onDone(response: Json): void {
    const id = textAt(response, 'id');
    const answer = this.open.get(id) ?? { prompt: 0, audioPrompt: 0, text: '', textTokens: 0, audioTokens: 0 };
    this.open.delete(id);
    const usage = objectAt(response, 'usage');
    const report = { prompt: usage['input_tokens'], completion: usage['output_tokens'], total: usage['total_tokens'] };
    const accepted = acceptUsage(report, answer.text !== '' || answer.audioTokens > 0);
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

  /** A transcript by another model: at that model's price where it has one, otherwise as audio input of the session. */
  private onTranscript(usage: Json): void {
    const seconds = numberAt(usage, 'seconds');
    const completion = countOf(usage['output_tokens']);
    const audioTokens = countOf(objectAt(usage, 'input_token_details')['audio_tokens']);
    if (this.transcriber !== '' && this.hasTranscriptPrice(this.transcriber)) {
      const prompt = seconds === null ? countOf(usage['input_tokens']) : tokensOfSeconds(Math.max(0, seconds));
      const audio = Math.min(audioTokens, prompt);
      const parts = {
        transcript_prompt: prompt - audio,
        transcript_audio: audio,
        transcript_completion: completion,
      };
      this.reported.add({ prompt, completion, parts });
      return;
    }
    const ofTime = seconds === null ? null : Math.ceil((Math.max(0, seconds) * 1000) / audioTokenMs);
    const prompt = ofTime ?? countOf(usage['input_tokens']);
    this.reported.add({ prompt, completion, parts: { audio_prompt: Math.min(ofTime ?? audioTokens, prompt) } });
  }
}
