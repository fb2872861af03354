import type { ChargedPart } from '@weir/contract/usage-parts';
import type { Tokens } from '../../billing/price/price.ts';
import { roughTokens } from '../../billing/counting/rough-tokens.ts';
import { acceptParts, isChargedPart, type PartTokens } from '../../billing/price/usage-parts.ts';
import { acceptUsage } from '../../billing/price/usage.ts';
import { type Json, numberAt, objectAt, objectsAt, textAt } from '../../conversation/json.ts';
import { countOf } from '../../conversation/usage.ts';
import { tokensOfSeconds } from '../../providers/openai/openai-transcriptions.ts';

/** Bytes of sound in a token, which is 100 ms of what is heard and 50 ms of what is said. */
const pcm = { heard: 4800, said: 2400 };
const g711 = { heard: 800, said: 400 };
const heardMs = 100;
/** A picture is seldom more. */
const imageTokens = 1500;

/** An answer whose usage is not reported, or not yet. */
interface OpenAnswer {
  /** Tokens that it reads, and how many of them are sound. */
  readonly prompt: number;
  readonly heard: number;
  text: string;
  /** Tokens of `text`, tending to be too many. */
  rough: number;
  /** Tokens of sound. */
  sound: number;
}

/** What a session has used. */
export interface SessionUsage extends Tokens {
  readonly parts: PartTokens;
  /** Some of it was counted here. */
  readonly estimated: boolean;
}

const bytesOf = (base64: string): number => Math.floor((base64.length * 3) / 4);

/** Cached tokens have a price of their own, whatever they are of: the other parts are told without them. */
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

/** What an answer has cost at least, as far as it is known here. */
const estimateOf = ({ prompt, heard, sound }: OpenAnswer, text: number): Tokens => ({
  prompt,
  completion: Math.ceil(text) + sound,
  parts: { audio_prompt: heard, audio_completion: sound },
});

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

  told(estimated: boolean): SessionUsage {
    return { prompt: this.prompt, completion: this.completion, parts: this.parts, estimated };
  }
}

/**
 * Follows the messages of a session and knows what it costs: what the upstream reports of every answer, and until then an
 * estimate that tends to be too high. Source: platform.openai.com, Realtime API reference; the names of its beta too.
 */
export class RealtimeMeter {
  /** Who writes transcripts; empty: nobody, or nobody knows. */
  private transcriber = '';
  private readonly reported = new Sums();
  private readonly open = new Map<string, OpenAnswer>();
  /** Answers that ended without a report. */
  private readonly unreported: OpenAnswer[] = [];
  private rates = pcm;
  /** What a further answer would read, and how much of it is sound. */
  private context = 0;
  private contextHeard = 0;
  /** Tokens of sound that are not part of the conversation yet. */
  private buffered = 0;
  private speechFrom: number | null = null;
  private speechMs = 0;

  private readonly pricesApart: (transcriber: string) => boolean;

  /** `pricesApart`: whether the transcripts of a model cost what it costs by itself. */
  constructor(pricesApart: (transcriber: string) => boolean) {
    this.pricesApart = pricesApart;
  }

  /** An answer is on its way. */
  isAnswering(): boolean {
    return this.open.size > 0;
  }

  /** Tokens to have money for by now. */
  reached(): SessionUsage {
    const sums = new Sums().add(this.reported);
    const rest = [...this.open.values(), ...this.unreported];
    for (const answer of rest) sums.add(estimateOf(answer, answer.rough));
    return sums.told(rest.length > 0);
  }

  /** What the session has used, with the texts of answers that nobody reported counted. An answer that said nothing is free. */
  async used(count: (text: string) => Promise<number>): Promise<SessionUsage> {
    const sums = new Sums().add(this.reported);
    const rest = [...this.open.values(), ...this.unreported].filter(({ text, sound }) => text !== '' || sound > 0);
    for (const answer of rest) sums.add(estimateOf(answer, await count(answer.text)));
    return sums.told(rest.length > 0);
  }

  /** Takes a message of the client. */
  heard(message: Json): void {
    switch (message['type']) {
      case 'input_audio_buffer.append':
        this.buffered += bytesOf(textAt(message, 'audio')) / this.rates.heard;
        break;
      case 'input_audio_buffer.clear':
        this.buffered = 0;
        break;
      case 'conversation.item.create':
        this.addItem(objectAt(message, 'item'));
        break;
      case 'session.update':
        this.addInstructions(objectAt(message, 'session'));
        break;
      case 'response.create':
        this.addInstructions(objectAt(message, 'response'));
        for (const item of objectsAt(objectAt(message, 'response'), 'input')) this.addItem(item);
        break;
    }
  }

  /** Takes a message of the upstream. */
  said(message: Json): void {
    const type = textAt(message, 'type');
    if (type.endsWith('.delta')) return this.piece(type, message);
    switch (type) {
      case 'session.created':
      case 'session.updated':
        this.rates = this.ratesOf(objectAt(message, 'session'));
        this.transcriber = this.transcriberOf(objectAt(message, 'session'));
        break;
      case 'input_audio_buffer.speech_started':
        this.speechFrom = numberAt(message, 'audio_start_ms');
        break;
      case 'input_audio_buffer.speech_stopped':
        this.speechMs += Math.max(0, (numberAt(message, 'audio_end_ms') ?? 0) - (this.speechFrom ?? 0));
        break;
      case 'input_audio_buffer.committed':
        this.commit();
        break;
      case 'conversation.item.input_audio_transcription.completed':
        this.transcribed(objectAt(message, 'usage'));
        break;
      case 'response.created':
        this.begin(textAt(objectAt(message, 'response'), 'id'));
        break;
      case 'response.done':
        this.end(objectAt(message, 'response'));
        break;
    }
  }

  private ratesOf(session: Json): typeof pcm {
    const format = objectAt(objectAt(objectAt(session, 'audio'), 'input'), 'format');
    const name = textAt(format, 'type') || textAt(session, 'input_audio_format');
    return /pcm[ua]$|^g711/.test(name) ? g711 : pcm;
  }

  private transcriberOf(session: Json): string {
    const wanted = objectAt(objectAt(objectAt(session, 'audio'), 'input'), 'transcription');
    return textAt(wanted, 'model') || textAt(objectAt(session, 'input_audio_transcription'), 'model');
  }

  private add(tokens: number, heard: number): void {
    this.context += Math.ceil(tokens + heard);
    this.contextHeard += Math.ceil(heard);
  }

  private addItem(item: Json): void {
    this.add(roughTokens(textAt(item, 'output')) + roughTokens(textAt(item, 'arguments')), 0);
    for (const part of objectsAt(item, 'content')) {
      const picture = part['type'] === 'input_image' ? imageTokens : 0;
      this.add(roughTokens(textAt(part, 'text')) + picture, bytesOf(textAt(part, 'audio')) / this.rates.heard);
    }
  }

  private addInstructions(told: Json): void {
    const tools = Array.isArray(told['tools']) ? JSON.stringify(told['tools']) : '';
    this.add(roughTokens(textAt(told, 'instructions')) + roughTokens(tools), 0);
  }

  /** Where the vendor says when somebody spoke, the silence around it is not heard. */
  private commit(): void {
    const spoken = this.speechMs / heardMs;
    this.add(0, this.speechFrom === null ? this.buffered : Math.min(spoken, this.buffered));
    this.buffered = 0;
    this.speechFrom = null;
    this.speechMs = 0;
  }

  private begin(id: string): void {
    this.open.set(id, { prompt: this.context, heard: this.contextHeard, text: '', rough: 0, sound: 0 });
  }

  private piece(type: string, message: Json): void {
    const answer = this.open.get(textAt(message, 'response_id'));
    const delta = textAt(message, 'delta');
    if (answer === undefined) return;
    if (/^response\.(?:output_)?audio\.delta$/.test(type)) {
      answer.sound += Math.ceil(bytesOf(delta) / this.rates.said);
    } else if (/^response\.(?:(?:output_)?(?:text|audio_transcript)|function_call_arguments)\.delta$/.test(type)) {
      answer.text += delta;
      answer.rough += roughTokens(delta);
    }
  }

  private end(response: Json): void {
    const id = textAt(response, 'id');
    const answer = this.open.get(id) ?? { prompt: 0, heard: 0, text: '', rough: 0, sound: 0 };
    this.open.delete(id);
    const usage = objectAt(response, 'usage');
    const report = { prompt: usage['input_tokens'], completion: usage['output_tokens'], total: usage['total_tokens'] };
    const accepted = acceptUsage(report, answer.text !== '' || answer.sound > 0);
    if (accepted.prompt === null || accepted.completion === null) {
      // What failed is not paid for.
      if (response['status'] !== 'failed') this.unreported.push(answer);
      return;
    }
    const { prompt, completion } = accepted;
    const parts = acceptParts(partsOf(usage), { prompt, completion });
    this.reported.add({ prompt, completion, parts });
    const sound = countOf(objectAt(usage, 'input_token_details')['audio_tokens']) + (parts.audio_completion ?? 0);
    this.context += prompt + completion - answer.prompt;
    this.contextHeard += sound - answer.heard;
  }

  /** A transcript by another model, at its price where it has one here; otherwise as what the session itself hears. */
  private transcribed(usage: Json): void {
    const seconds = numberAt(usage, 'seconds');
    const completion = countOf(usage['output_tokens']);
    const heard = countOf(objectAt(usage, 'input_token_details')['audio_tokens']);
    if (this.transcriber !== '' && this.pricesApart(this.transcriber)) {
      const prompt = seconds === null ? countOf(usage['input_tokens']) : tokensOfSeconds(Math.max(0, seconds));
      const audio = Math.min(heard, prompt);
      const parts = {
        transcript_prompt: prompt - audio,
        transcript_audio: audio,
        transcript_completion: completion,
      };
      this.reported.add({ prompt, completion, parts });
      return;
    }
    const ofTime = seconds === null ? null : Math.ceil((Math.max(0, seconds) * 1000) / heardMs);
    const prompt = ofTime ?? countOf(usage['input_tokens']);
    this.reported.add({ prompt, completion, parts: { audio_prompt: Math.min(ofTime ?? heard, prompt) } });
  }
}
