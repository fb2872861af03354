const usualModel = 'gpt-4o-mini';

/** A first request with curl. `address` is the gateway's, without a trailing slash. */
export const curlRequest = (address: string, key: string, model = usualModel): string =>
  [
    `curl ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
  ].join('\n');

export const pythonRequest = (address: string, key: string, model = usualModel): string =>
  [
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url="${address}/v1", api_key="${key}")`,
    'answer = client.chat.completions.create(',
    `    model="${model}",`,
    '    messages=[{"role": "user", "content": "Hello"}],',
    ')',
    'print(answer.choices[0].message.content)',
  ].join('\n');

export const javascriptRequest = (address: string, key: string, model = usualModel): string =>
  [
    'import OpenAI from "openai";',
    '',
    `const client = new OpenAI({ baseURL: "${address}/v1", apiKey: "${key}" });`,
    'const answer = await client.chat.completions.create({',
    `  model: "${model}",`,
    '  messages: [{ role: "user", content: "Hello" }],',
    '});',
    'console.log(answer.choices[0].message.content);',
  ].join('\n');
