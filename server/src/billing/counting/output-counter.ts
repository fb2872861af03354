import type { TokenCounter } from './token-counter.ts';

/** Characters after which what gathered is counted. */
const batchMax = 65_536;

/** Counts output text piece by piece, so that a long answer is never kept in memory. */
export class OutputCounter {
  private texts: string[] = [];
  private length = 0;
  private units = 0;
  private counted: Promise<number> | null = null;
  private readonly tokens: TokenCounter;
  private readonly model: string;

  constructor(tokens: TokenCounter, model: string) {
    this.tokens = tokens;
    this.model = model;
  }

  /** There was no output yet. */
  empty(): boolean {
    return this.units === 0;
  }

  /** UTF-16 units of everything added so far. */
  characters(): number {
    return this.units;
  }

  add(text: string): void {
    if (text === '') return;
    this.texts.push(text);
    this.length += text.length;
    this.units += text.length;
    if (this.length >= batchMax) this.count();
  }

  /** Tokens of everything added so far. */
  async total(): Promise<number> {
    this.count();
    return (await this.counted) ?? 0;
  }

  private count(): void {
    if (this.length === 0) return;
    const batch = this.tokens.text(this.model, this.texts.join(''));
    this.counted = Promise.all([this.counted, batch]).then(([before, now]) => (before ?? 0) + now);
    this.texts = [];
    this.length = 0;
  }
}
