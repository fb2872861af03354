import { roughTokens } from '../../billing/counting/rough-tokens.ts';
import { type Json, numberAt, objectAt, objectsAt, textAt } from '../../conversation/json.ts';

/** Bytes of audio in a token, which is 100 ms of input and 50 ms of output. */
const pcm = { input: 4800, output: 2400 };
const g711 = { input: 800, output: 400 };
export const audioTokenMs = 100;
/** Most pictures have fewer. */
const imageTokens = 1500;

/** Tokens, and the audio among them. */
export interface PromptSize {
  readonly prompt: number;
  readonly audioPrompt: number;
}

const bytesOf = (base64: string): number => Math.floor((base64.length * 3) / 4);

const ratesOf = (session: Json): typeof pcm => {
  const format = objectAt(objectAt(objectAt(session, 'audio'), 'input'), 'format');
  const name = textAt(format, 'type') || textAt(session, 'input_audio_format');
  return /pcm[ua]$|^g711/.test(name) ? g711 : pcm;
};

/** Estimates how many tokens the next answer of a session reads. */
export class PromptMeter {
  private rates = pcm;
  private prompt = 0;
  private audioPrompt = 0;
  /** Tokens of audio that are not part of the conversation yet. */
  private buffered = 0;
  private speechFrom: number | null = null;
  private speechMs = 0;

  size(): PromptSize {
    return { prompt: this.prompt, audioPrompt: this.audioPrompt };
  }

  /** Output tokens that a piece of an answer's audio has. */
  outputAudio(base64: string): number {
    return Math.ceil(bytesOf(base64) / this.rates.output);
  }

  /** Counts a message of the client. */
  fromClient(message: Json): void {
    switch (message['type']) {
      case 'input_audio_buffer.append':
        this.buffered += bytesOf(textAt(message, 'audio')) / this.rates.input;
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

  /** Reads what a message of the upstream says of the input. */
  fromUpstream(message: Json): void {
    switch (message['type']) {
      case 'session.created':
      case 'session.updated':
        this.rates = ratesOf(objectAt(message, 'session'));
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
    }
  }

  /** An answer was reported: the next one reads it too. */
  onReported(estimated: PromptSize, { prompt, audioPrompt }: PromptSize): void {
    this.prompt += prompt - estimated.prompt;
    this.audioPrompt += audioPrompt - estimated.audioPrompt;
  }

  /** The buffer joins the conversation. Where the vendor reports speech, the silence around it is not counted. */
  private commit(): void {
    const spoken = this.speechMs / audioTokenMs;
    this.add(0, this.speechFrom === null ? this.buffered : Math.min(spoken, this.buffered));
    this.buffered = 0;
    this.speechFrom = null;
    this.speechMs = 0;
  }

  private add(tokens: number, audio: number): void {
    this.prompt += Math.ceil(tokens + audio);
    this.audioPrompt += Math.ceil(audio);
  }

  private addItem(item: Json): void {
    this.add(roughTokens(textAt(item, 'output')) + roughTokens(textAt(item, 'arguments')), 0);
    for (const part of objectsAt(item, 'content')) {
      const picture = part['type'] === 'input_image' ? imageTokens : 0;
      this.add(roughTokens(textAt(part, 'text')) + picture, bytesOf(textAt(part, 'audio')) / this.rates.input);
    }
  }

  private addInstructions(settings: Json): void {
    const tools = Array.isArray(settings['tools']) ? JSON.stringify(settings['tools']) : '';
    this.add(roughTokens(textAt(settings, 'instructions')) + roughTokens(tools), 0);
  }
}
