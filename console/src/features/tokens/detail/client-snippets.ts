import { curlRequest, javascriptRequest, pythonRequest } from '../../../lib/snippets.ts';

/** The values of a snippet. */
export interface SnippetOf {
  /** Address of the gateway, without a trailing slash. */
  readonly address: string;
  /** With `sk-` in front, whole or masked. */
  readonly key: string;
  readonly model: string;
}

interface Snippet {
  readonly id: string;
  /** The name of the language or client. */
  readonly name: string;
  readonly code: (of: SnippetOf) => string;
}

const lines = (...all: readonly string[]): string => all.join('\n');

/** Anthropic's library adds `/v1/messages` to the address. */
const anthropic = ({ address, key, model }: SnippetOf): string =>
  lines(
    'from anthropic import Anthropic',
    '',
    `client = Anthropic(base_url="${address}", api_key="${key}")`,
    'answer = client.messages.create(',
    `    model="${model}",`,
    '    max_tokens=1024,',
    '    messages=[{"role": "user", "content": "Hello"}],',
    ')',
    'print(answer.content[0].text)',
  );

/** Google's library adds `/v1beta/models/…` to the address. */
const gemini = ({ address, key, model }: SnippetOf): string =>
  lines(
    'from google import genai',
    '',
    `client = genai.Client(api_key="${key}", http_options={"base_url": "${address}"})`,
    `answer = client.models.generate_content(model="${model}", contents="Hello")`,
    'print(answer.text)',
  );

const openAiVariables = ({ address, key }: SnippetOf): string =>
  lines(`export OPENAI_BASE_URL="${address}/v1"`, `export OPENAI_API_KEY="${key}"`);

const claudeCode = ({ address, key, model }: SnippetOf): string =>
  lines(
    `export ANTHROPIC_BASE_URL="${address}"`,
    `export ANTHROPIC_AUTH_TOKEN="${key}"`,
    `export ANTHROPIC_MODEL="${model}"`,
    'claude',
  );

const geminiCli = ({ address, key, model }: SnippetOf): string =>
  lines(`export GOOGLE_GEMINI_BASE_URL="${address}"`, `export GEMINI_API_KEY="${key}"`, `gemini --model "${model}"`);

const codex = ({ address, key, model }: SnippetOf): string =>
  lines(
    '# ~/.codex/config.toml',
    `model = "${model}"`,
    'model_provider = "gateway"',
    '',
    '[model_providers.gateway]',
    'name = "Gateway"',
    `base_url = "${address}/v1"`,
    'env_key = "GATEWAY_API_KEY"',
    'wire_api = "responses"',
    '',
    `# in the shell: export GATEWAY_API_KEY="${key}"`,
  );

const aider = ({ address, key, model }: SnippetOf): string =>
  lines(`export OPENAI_API_BASE="${address}/v1"`, `export OPENAI_API_KEY="${key}"`, `aider --model "openai/${model}"`);

/** Snippets to paste: a request in each language, and the settings of well-known clients. */
export const snippets: readonly Snippet[] = [
  { id: 'curl', name: 'curl', code: ({ address, key, model }) => curlRequest(address, key, model) },
  { id: 'python', name: 'Python (openai)', code: ({ address, key, model }) => pythonRequest(address, key, model) },
  {
    id: 'javascript',
    name: 'JavaScript (openai)',
    code: ({ address, key, model }) => javascriptRequest(address, key, model),
  },
  { id: 'anthropic', name: 'Python (anthropic)', code: anthropic },
  { id: 'gemini', name: 'Python (google-genai)', code: gemini },
  { id: 'variables', name: 'OPENAI_BASE_URL', code: openAiVariables },
  { id: 'claude-code', name: 'Claude Code', code: claudeCode },
  { id: 'gemini-cli', name: 'Gemini CLI', code: geminiCli },
  { id: 'codex', name: 'Codex', code: codex },
  { id: 'aider', name: 'aider', code: aider },
];
