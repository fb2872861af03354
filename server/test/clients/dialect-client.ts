/** An answer as a client read it, in any dialect. */
export interface ReadAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'none';
  readonly usage: { readonly prompt: number; readonly completion: number } | null;
  /** The stream came to the end that its dialect has for complete answers; true of every whole answer. */
  readonly ended: boolean;
}

/** A question, independent of the dialect. */
export interface Question {
  readonly kind: 'text' | 'tools' | 'image' | 'json' | 'results';
  readonly model: string;
  readonly stream: boolean;
}

/** A client of one dialect, independent of the gateway's code. */
export interface DialectClient {
  readonly name: string;
  path(question: Question): string;
  body(question: Question): object;
  readWhole(text: string): ReadAnswer;
  readStream(text: string): ReadAnswer;
}

/** The tool of every question that has one. */
export const weatherTool = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;

/** The schema that a question for JSON sends. */
export const answerSchema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
} as const;

/** A picture of one pixel. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
