/** Models whose path differs from their name (provider notes 10.1). */
const endpoints = new Map<string, string>([
  ['ERNIE-4.0-8K', 'completions_pro'],
  ['ERNIE-Bot-4', 'completions_pro'],
  ['ERNIE-4.0-8K-Preview-0518', 'completions_adv_pro'],
  ['ERNIE-3.5-8K', 'completions'],
  ['ERNIE-Bot', 'completions'],
  ['ERNIE-Bot-8K', 'ernie_bot_8k'],
  ['ERNIE-Speed', 'ernie_speed'],
  ['ERNIE-Speed-8K', 'ernie_speed'],
  ['ERNIE-Bot-turbo', 'eb-instant'],
  ['ERNIE-Lite-8K-0922', 'eb-instant'],
  ['ERNIE-Lite-8K-0308', 'ernie-lite-8k'],
  ['ERNIE-Character-8K', 'ernie-char-8k'],
  ['ERNIE-Functions-8K', 'ernie-func-8k'],
  ['BLOOMZ-7B', 'bloomz_7b1'],
]);

/** The last path segment of a chat model in the older API. */
export const baiduEndpoint = (model: string): string => endpoints.get(model) ?? model.toLowerCase();

const renamed = new Map<string, string>([
  ['ERNIE-Bot', 'ernie-3.5-8k'],
  ['ERNIE-Bot-4', 'ernie-4.0-8k'],
  ['ERNIE-Bot-turbo', 'ernie-lite-8k'],
]);

/** The newer API's name of a model of the older one. */
export const qianfanModel = (model: string): string =>
  renamed.get(model) ?? (model.startsWith('ERNIE-') ? model.toLowerCase() : model);
