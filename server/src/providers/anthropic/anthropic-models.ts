/** The parameters that a Claude model accepts, by its version (provider notes 5). */
export interface ClaudeTraits {
  /** Whether temperature, top_p and top_k may differ from their defaults. */
  readonly samples: boolean;
  /** Whether temperature and top_p may both be set. */
  readonly samplesTwice: boolean;
  /** How thinking is requested: with a budget, by effort, or not at all. */
  readonly thinking: 'none' | 'budget' | 'adaptive';
  /** The answer contains thinking only if the request asks for its summary. */
  readonly hidesThinking: boolean;
  /** The highest effort that the model accepts. */
  readonly topEffort: 'high' | 'xhigh';
  /** The model supports answers by JSON Schema; otherwise a forced tool call replaces them. */
  readonly schemas: boolean;
  /** System messages may stand between a user's turn and its answer. */
  readonly systemTurns: boolean;
  /** A conversation may end with a prefilled answer. */
  readonly prefills: boolean;
  /** The model's longest answer, where no price book knows it. */
  readonly outputDefault: number;
}

const version = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2})(?!\d))?/;

/** Major × 100 + minor. A name without a version counts as the last version that took every parameter. */
const versionOf = (model: string): number => {
  const match = version.exec(model);
  return match === null ? 406 : Number(match[1]) * 100 + Number(match[2] ?? 0);
};

/** The longest answer of a model (provider notes 5; docs.claude.com, models overview). */
const outputMax = (model: string, release: number): number => {
  if (release < 305) return 4096;
  if (release < 307) return 8192;
  if (!version.test(model)) return 8192;
  if (release >= 406 && !/sonnet-4|haiku-4/.test(model)) return 128_000;
  return /opus-4(?![-.][5-9])/.test(model) ? 32_000 : 64_000;
};

export const claudeTraits = (model: string): ClaudeTraits => {
  const release = versionOf(model);
  const thinks = release >= 406 ? 'adaptive' : 'budget';
  return {
    samples: release <= 406,
    samplesTwice: release < 405,
    thinking: release < 307 ? 'none' : thinks,
    hidesThinking: release >= 407,
    topEffort: release >= 407 ? 'xhigh' : 'high',
    schemas: release >= 405,
    systemTurns: release >= 408,
    prefills: release < 406,
    outputDefault: outputMax(model, release),
  };
};
