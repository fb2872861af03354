/**
 * Models that are served by the responses API only; other endpoints answer 404. Source: platform.openai.com, pages of
 * the models (`o1-pro`, `gpt-5-pro-2025-10-06`, `gpt-5.1-codex-mini`, `codex-mini-latest`, `o3-deep-research`,
 * `computer-use-preview`), and learn.microsoft.com, "Azure OpenAI reasoning models", which writes names without dots.
 */
const names = [
  /^(?:o\d+|gpt-\d[\d.]*)-pro(?:-\d|$)/,
  /^(?:gpt-\d[\d.]*-)?codex(?:-|$)/,
  /-deep-research(?:-|$)/,
  /^computer-use-preview/,
];

/** Whether a model has no other API than responses. */
export const isResponsesOnly = (model: string): boolean => names.some((name) => name.test(model));
