import { roughTokens } from '../../billing/counting/rough-tokens.ts';
import type { Tokens } from '../../billing/price/price.ts';
import type { PromptSize } from './prompt-meter.ts';

/** An answer whose usage is not reported, or not yet. */
export class OpenAnswer implements PromptSize {
  readonly prompt: number;
  readonly audioPrompt: number;
  /** Both are added to here alone. */
  text = '';
  /** Tokens of `text`, rather too many than too few. */
  textTokens = 0;
  private audioTokens = 0;

  constructor({ prompt, audioPrompt }: PromptSize) {
    this.prompt = prompt;
    this.audioPrompt = audioPrompt;
  }

  addText(text: string): void {
    this.text += text;
    this.textTokens += roughTokens(text);
  }

  addAudio(tokens: number): void {
    this.audioTokens += tokens;
  }

  hasOutput(): boolean {
    return this.text !== '' || this.audioTokens > 0;
  }

  /** What the answer costs, as far as the gateway knows, if its text has so many tokens. */
  estimate(textTokens: number): Tokens {
    return {
      prompt: this.prompt,
      completion: Math.ceil(textTokens) + this.audioTokens,
      parts: { audio_prompt: this.audioPrompt, audio_completion: this.audioTokens },
    };
  }
}
