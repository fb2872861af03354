import { qianfanModel } from './baidu-models.ts';
import { parseBaseUrl } from './base-url.ts';
import { openAiCompatible } from './openai-compatible.ts';
import { pathBelow } from './openai-request.ts';
import type { Provider } from './provider.ts';

const address = parseBaseUrl('https://qianfan.baidubce.com/v2');

/** Baidu's newer API (Qianfan V2), also for channels that still name the older one's host. */
export const qianfan: Provider = openAiCompatible({
  address: (base) => (base === null || base.origin === 'https://aip.baidubce.com' ? address : base),
  path: pathBelow('/v2'),
  modelName: qianfanModel,
  limitMember: 'max_tokens',
});
