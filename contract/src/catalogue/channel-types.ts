/** What a channel's balance is counted in; null: the type has no balance to ask for. */
export type BalanceUnit = 'usd' | 'cny' | 'cny/10000' | 'quota' | null;

/** One row of the channel type catalogue. */
export interface ChannelType {
  /** The type id on the wire. */
  readonly key: number;
  readonly text: string;
  /** Equal to `key`: what a select sends. */
  readonly value: number;
  /** Name of the display colour. */
  readonly color: string;
  /** Used when a channel names no address of its own; empty: the channel must name one. */
  readonly baseUrl: string;
  /** `owned_by` of the type's models in a model list. */
  readonly ownedBy: string;
  /** How a key of several parts is written; empty: a plain key. */
  readonly keyHint: string;
  readonly balance: BalanceUnit;
}

/** The 31 types of the specification in its order (§3), then those that came since. */
// oxfmt-ignore
export const channelTypes = [
  { key: 1, text: 'OpenAI', value: 1, color: 'green', baseUrl: 'https://api.openai.com', ownedBy: 'openai', keyHint: '', balance: 'usd' },
  { key: 14, text: 'Anthropic Claude', value: 14, color: 'black', baseUrl: 'https://api.anthropic.com', ownedBy: 'anthropic', keyHint: '', balance: null },
  { key: 3, text: 'Azure OpenAI', value: 3, color: 'olive', baseUrl: '', ownedBy: 'azure', keyHint: '', balance: null },
  { key: 11, text: 'Google PaLM2', value: 11, color: 'orange', baseUrl: 'https://generativelanguage.googleapis.com', ownedBy: 'google palm', keyHint: '', balance: null },
  { key: 24, text: 'Google Gemini', value: 24, color: 'orange', baseUrl: 'https://generativelanguage.googleapis.com', ownedBy: 'google gemini', keyHint: '', balance: null },
  { key: 28, text: 'Mistral AI', value: 28, color: 'orange', baseUrl: 'https://api.mistral.ai', ownedBy: 'mistralai', keyHint: '', balance: null },
  { key: 15, text: 'Baidu Wenxin', value: 15, color: 'blue', baseUrl: 'https://aip.baidubce.com', ownedBy: 'baidu', keyHint: 'APIKey|SecretKey', balance: null },
  { key: 17, text: 'Alibaba Tongyi Qianwen', value: 17, color: 'orange', baseUrl: 'https://dashscope.aliyuncs.com', ownedBy: 'ali', keyHint: '', balance: null },
  { key: 18, text: 'iFlytek Spark', value: 18, color: 'blue', baseUrl: '', ownedBy: 'xunfei', keyHint: 'APPID|APISecret|APIKey', balance: null },
  { key: 16, text: 'Zhipu ChatGLM', value: 16, color: 'violet', baseUrl: 'https://open.bigmodel.cn', ownedBy: 'zhipu', keyHint: '', balance: null },
  { key: 19, text: '360 Zhinao', value: 19, color: 'blue', baseUrl: 'https://ai.360.cn', ownedBy: '360', keyHint: '', balance: null },
  { key: 25, text: 'Moonshot AI', value: 25, color: 'black', baseUrl: 'https://api.moonshot.cn', ownedBy: 'moonshot', keyHint: '', balance: 'cny' },
  { key: 23, text: 'Tencent Hunyuan', value: 23, color: 'teal', baseUrl: 'https://hunyuan.tencentcloudapi.com', ownedBy: 'tencent', keyHint: 'AppId|SecretId|SecretKey', balance: null },
  { key: 26, text: 'Baichuan', value: 26, color: 'orange', baseUrl: 'https://api.baichuan-ai.com', ownedBy: 'baichuan', keyHint: '', balance: null },
  { key: 27, text: 'MiniMax', value: 27, color: 'red', baseUrl: 'https://api.minimax.chat', ownedBy: 'minimax', keyHint: '', balance: null },
  { key: 29, text: 'Groq', value: 29, color: 'orange', baseUrl: 'https://api.groq.com/openai', ownedBy: 'groq', keyHint: '', balance: null },
  { key: 30, text: 'Ollama', value: 30, color: 'black', baseUrl: 'http://localhost:11434', ownedBy: 'ollama', keyHint: '', balance: null },
  { key: 31, text: '01.AI', value: 31, color: 'green', baseUrl: 'https://api.lingyiwanwu.com', ownedBy: 'lingyiwanwu', keyHint: '', balance: null },
  { key: 8, text: 'Custom channel', value: 8, color: 'pink', baseUrl: '', ownedBy: 'openai', keyHint: '', balance: 'usd' },
  { key: 22, text: 'Knowledge base: FastGPT', value: 22, color: 'blue', baseUrl: 'https://fastgpt.run/api/openapi', ownedBy: 'openai', keyHint: 'APIKey-AppId', balance: null },
  { key: 21, text: 'Knowledge base: AI Proxy', value: 21, color: 'purple', baseUrl: 'https://api.aiproxy.io', ownedBy: 'aiproxy', keyHint: '', balance: null },
  { key: 20, text: 'OpenRouter', value: 20, color: 'black', baseUrl: 'https://openrouter.ai/api', ownedBy: 'openrouter', keyHint: '', balance: 'usd' },
  { key: 2, text: 'Proxy: API2D', value: 2, color: 'blue', baseUrl: 'https://oa.api2d.net', ownedBy: 'openai', keyHint: '', balance: null },
  { key: 5, text: 'Proxy: OpenAI-SB', value: 5, color: 'brown', baseUrl: 'https://api.openai-sb.com', ownedBy: 'openai', keyHint: '', balance: 'cny/10000' },
  { key: 7, text: 'Proxy: OhMyGPT', value: 7, color: 'purple', baseUrl: 'https://api.ohmygpt.com', ownedBy: 'openai', keyHint: '', balance: null },
  { key: 10, text: 'Proxy: AI Proxy', value: 10, color: 'purple', baseUrl: 'https://api.aiproxy.io', ownedBy: 'openai', keyHint: '', balance: 'quota' },
  { key: 4, text: 'Proxy: CloseAI', value: 4, color: 'teal', baseUrl: 'https://api.closeai-proxy.xyz', ownedBy: 'openai', keyHint: '', balance: 'cny' },
  { key: 6, text: 'Proxy: OpenAI Max', value: 6, color: 'violet', baseUrl: 'https://api.openaimax.com', ownedBy: 'openai', keyHint: '', balance: null },
  { key: 9, text: 'Proxy: AI.LS', value: 9, color: 'yellow', baseUrl: 'https://api.caipacity.com', ownedBy: 'openai', keyHint: '', balance: null },
  { key: 12, text: 'Proxy: API2GPT', value: 12, color: 'blue', baseUrl: 'https://api.api2gpt.com', ownedBy: 'openai', keyHint: '', balance: 'cny' },
  { key: 13, text: 'Proxy: AIGC2D', value: 13, color: 'purple', baseUrl: 'https://api.aigc2d.com', ownedBy: 'openai', keyHint: '', balance: 'quota' },
  { key: 32, text: 'StepFun', value: 32, color: 'blue', baseUrl: 'https://api.stepfun.com', ownedBy: 'stepfun', keyHint: '', balance: null },
  { key: 33, text: 'AWS Bedrock', value: 33, color: 'black', baseUrl: '', ownedBy: 'aws', keyHint: 'AK|SK|Region', balance: null },
  { key: 34, text: 'Coze', value: 34, color: 'blue', baseUrl: 'https://api.coze.com', ownedBy: 'coze', keyHint: '', balance: null },
  { key: 35, text: 'Cohere', value: 35, color: 'blue', baseUrl: 'https://api.cohere.ai', ownedBy: 'Cohere', keyHint: '', balance: null },
  { key: 36, text: 'DeepSeek', value: 36, color: 'black', baseUrl: 'https://api.deepseek.com', ownedBy: 'deepseek', keyHint: '', balance: 'cny' },
  { key: 37, text: 'Cloudflare Workers AI', value: 37, color: 'orange', baseUrl: 'https://api.cloudflare.com', ownedBy: 'cloudflare', keyHint: '', balance: null },
  { key: 38, text: 'DeepL', value: 38, color: 'black', baseUrl: 'https://api-free.deepl.com', ownedBy: 'deepl', keyHint: '', balance: null },
  { key: 39, text: 'together.ai', value: 39, color: 'blue', baseUrl: 'https://api.together.xyz', ownedBy: 'together.ai', keyHint: '', balance: null },
  { key: 40, text: 'ByteDance Volcengine (Doubao)', value: 40, color: 'blue', baseUrl: 'https://ark.cn-beijing.volces.com', ownedBy: 'doubao', keyHint: '', balance: null },
  { key: 41, text: 'Novita', value: 41, color: 'purple', baseUrl: 'https://api.novita.ai/v3/openai', ownedBy: 'novita', keyHint: '', balance: null },
  { key: 42, text: 'Google Vertex AI', value: 42, color: 'blue', baseUrl: '', ownedBy: 'vertexai', keyHint: 'Region|ProjectId|JSON', balance: null },
  { key: 43, text: 'Proxy (raw pass-through)', value: 43, color: 'blue', baseUrl: '', ownedBy: 'proxy', keyHint: 'Authorization header', balance: null },
  { key: 44, text: 'SiliconFlow', value: 44, color: 'blue', baseUrl: 'https://api.siliconflow.cn', ownedBy: 'siliconflow', keyHint: '', balance: 'cny' },
  { key: 45, text: 'xAI', value: 45, color: 'blue', baseUrl: 'https://api.x.ai', ownedBy: 'xai', keyHint: '', balance: null },
  { key: 46, text: 'Replicate', value: 46, color: 'blue', baseUrl: 'https://api.replicate.com/v1/models', ownedBy: 'replicate', keyHint: '', balance: null },
  { key: 47, text: 'Baidu Qianfan V2', value: 47, color: 'blue', baseUrl: 'https://qianfan.baidubce.com', ownedBy: 'baiduv2', keyHint: '', balance: null },
  { key: 48, text: 'iFlytek Spark V2 (HTTP)', value: 48, color: 'blue', baseUrl: 'https://spark-api-open.xf-yun.com', ownedBy: 'xunfeiv2', keyHint: '', balance: null },
  { key: 49, text: 'Alibaba Cloud Bailian', value: 49, color: 'orange', baseUrl: 'https://dashscope.aliyuncs.com', ownedBy: 'alibailian', keyHint: '', balance: null },
  { key: 50, text: 'OpenAI compatible', value: 50, color: 'olive', baseUrl: '', ownedBy: 'openai', keyHint: '', balance: null },
  { key: 51, text: 'Google Gemini (OpenAI compatible)', value: 51, color: 'orange', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai', ownedBy: 'geminiv2', keyHint: '', balance: null },
] as const satisfies readonly ChannelType[];

/** A type id of the catalogue. */
export type ChannelTypeId = (typeof channelTypes)[number]['key'];

const byId = new Map<number, ChannelType>(channelTypes.map((type) => [type.key, type]));

/** The catalogue row of a type id, if it has one: other gateways of this contract know more types. */
export const channelType = (id: number): ChannelType | undefined => byId.get(id);
