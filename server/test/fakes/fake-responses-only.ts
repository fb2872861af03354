import type { UpstreamForm } from './fake-upstream.ts';
import { type CheckInput, fault, parse } from './fake-upstream-check.ts';
import { responsesForm } from './fake-responses.ts';
import { isJson, type Json, listOf, textOf } from '../parsing/json.ts';

/** Content that each role may have. */
const contentTypes: Readonly<Record<string, readonly string[]>> = {
  user: ['input_text', 'input_image', 'input_file'],
  developer: ['input_text'],
  system: ['input_text'],
  assistant: ['output_text', 'refusal'],
};

const messageFault = (item: Json): string | undefined => {
  const types = contentTypes[textOf(item['role'])];
  if (types === undefined) return `Invalid value: '${String(item['role'])}'.`;
  const { content } = item;
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content)) return "Missing required parameter: 'content'.";
  const wrong = listOf(content).find((part) => !types.includes(textOf(part['type'])));
  return wrong && `Invalid value: '${textOf(wrong['type'])}' in a message of the ${textOf(item['role'])}.`;
};

/** `calls` are the ids of the calls before it. */
const itemFault = (item: Json, calls: Set<string>): string | undefined => {
  switch (item['type']) {
    case undefined:
    case 'message':
      return messageFault(item);
    case 'function_call':
      calls.add(textOf(item['call_id']));
      return typeof item['name'] === 'string' && typeof item['arguments'] === 'string'
        ? undefined
        : "Missing required parameter: 'name' or 'arguments'.";
    case 'function_call_output':
      return calls.has(textOf(item['call_id']))
        ? undefined
        : `No tool call found for function call output with call_id ${textOf(item['call_id'])}.`;
    case 'reasoning':
      return textOf(item['encrypted_content']).startsWith('gAAAA')
        ? undefined
        : 'The encrypted content could not be verified.';
    default:
      return `Invalid value: '${String(item['type'])}'.`;
  }
};

const itemsFault = (items: unknown): string | undefined => {
  const calls = new Set<string>();
  return listOf(items)
    .map((item) => itemFault(item, calls))
    .find((text) => text !== undefined);
};

const check: UpstreamForm['check'] = (input: CheckInput) => {
  const body = parse(input.body);
  if (/\/(?:chat\/)?completions(?:\?|$)/.test(input.request.url ?? ''))
    return fault('This model is only supported in v1/responses and not in v1/chat/completions.', 404, 'not_found');
  if (!isJson(body)) return fault('We could not parse the JSON body of your request.');
  const sampling = ['temperature', 'top_p'].find((name) => body[name] !== undefined);
  if (sampling !== undefined)
    return fault(
      `Unsupported parameter: '${sampling}' is not supported with this model.`,
      400,
      'unsupported_parameter',
    );
  const wrong = itemsFault(body['input']);
  return wrong === undefined ? responsesForm.check(input) : fault(wrong);
};

/** A vendor whose models answer responses alone, and refuse what samples. Source: platform.openai.com, `o3-pro`. */
export const responsesOnlyForm: UpstreamForm = { ...responsesForm, check };
