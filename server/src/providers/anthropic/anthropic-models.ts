/** What a Claude model takes, by its version (provider notes 5). */
export interface ClaudeTraits {
  /** Whether temperature, top_p and top_k may differ from their defaults. */
  readonly samples: boolean;
  /** Whether temperature and top_p may come together. */
  readonly samplesTwice: boolean;
  /** How thinking is asked for: with a budget, by effort, or not at all. */
  readonly thinking: 'none' | 'budget' | 'adaptive';
  /** Thinking is told only where the caller asks for its summary. */
  readonly hidesThinking: boolean;
  /** The highest effort it knows. */
  readonly topEffort: 'high' | 'xhigh';
  /** Answers by JSON Schema; otherwise a forced call of a tool stands for it. */
  readonly schemas: boolean;
  /** A conversation may end with the beginning of the answer. */
  readonly prefills: boolean;
  /** Output tokens to allow where the caller bounds nothing. */
  readonly outputDefault: number;
}

const version = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2})(?!\d))?/;

/** Major times 100 and minor; a name that tells no version counts as the last one that took every parameter. */
const versionOf = (model: string): number => {
  const match = version.exec(model);
  return match === null ? 406 : Number(match[1]) * 100 + Number(match[2] ?? 0);
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
    prefills: release < 406,
    outputDefault: release < 305 ? 4096 : 8192,
  };
};
