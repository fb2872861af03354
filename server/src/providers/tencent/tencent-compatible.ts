import { wantsReasoning } from '../../conversation/reasoning-effort.ts';
import { parseBaseUrl } from '../base-url.ts';
import { openAiCompatible } from '../openai/openai-compatible.ts';
import type { Provider } from '../provider.ts';

const tokenHub = parseBaseUrl('https://tokenhub.tencentmaas.com/v1');

/** Tencent's OpenAI-compatible API, also for channels with the older API's host. */
export const tencentCompatible: Provider = openAiCompatible({
  address: (base) => (base === null || base.origin === 'https://hunyuan.tencentcloudapi.com' ? tokenHub : base),
  models: false,
  bounds: () => ({ systemFirst: true, modelAnswers: true, format: 'text' }),
  reasoning: (requested) => ({ enable_thinking: wantsReasoning(requested) }),
});
