import type { Conversation, Tool, ToolChoice } from '../../conversation/conversation.ts';
import { withFormatWords } from '../../conversation/format-words.ts';
import { isObject, type Json } from '../../conversation/json.ts';
import { type GeminiContent, geminiContents } from './gemini-contents.ts';
import { geminiThinking, thinkingOf } from './gemini-thinking.ts';

/** Built-in tools of the vendor, which a client requests with a function of that name. */
const vendorTools = new Set(['googleSearch', 'codeExecution', 'urlContext']);

const harms = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'];
/** Turns the vendor's filters off, so that only the model itself refuses, as with other vendors. */
const safetySettings = harms.map((harm) => ({ category: `HARM_CATEGORY_${harm}`, threshold: 'BLOCK_NONE' }));

const stopMax = 5;

const takesArguments = (parameters: Json | null): parameters is Json => {
  const properties = parameters?.['properties'];
  return isObject(properties) && Object.keys(properties).length > 0;
};

const declaration = ({ name, description, parameters }: Tool): Json => ({
  name,
  ...(description !== '' && { description }),
  ...(takesArguments(parameters) && { parametersJsonSchema: parameters }),
});

const toolsOf = (tools: readonly Tool[]): readonly Json[] => {
  const functions = tools.filter(({ name }) => !vendorTools.has(name));
  return [
    ...(functions.length === 0 ? [] : [{ functionDeclarations: functions.map(declaration) }]),
    ...tools.filter(({ name }) => vendorTools.has(name)).map(({ name }) => ({ [name]: {} })),
  ];
};

const callingOf = (choice: ToolChoice): Json => {
  switch (choice.kind) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  }
};

const formatOf = ({ answerFormat }: Conversation): Json => {
  if (answerFormat.kind === 'text') return {};
  const mime = { responseMimeType: 'application/json' };
  return answerFormat.kind === 'json' ? mime : { ...mime, responseJsonSchema: answerFormat.schema };
};

/** Image models answer with images only if the request allows it. */
const modalitiesOf = ({ members }: Conversation, model: string): readonly string[] | null => {
  const { modalities } = members;
  const drawing = Array.isArray(modalities) ? modalities.includes('image') : /-image(?:-|$)/.test(model);
  return drawing ? ['TEXT', 'IMAGE'] : null;
};

/** The members that have a value: null ones are left out. */
const present = (members: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

const configOf = (conversation: Conversation, model: string, choices: number): Json => ({
  ...present({
    candidateCount: choices > 1 ? choices : null,
    temperature: conversation.temperature,
    topP: conversation.topP,
    topK: conversation.topK,
    maxOutputTokens: conversation.outputLimit,
    stopSequences: conversation.stop.length === 0 ? null : conversation.stop.slice(0, stopMax),
    seed: conversation.seed,
    presencePenalty: conversation.presencePenalty,
    frequencyPenalty: conversation.frequencyPenalty,
    thinkingConfig: geminiThinking(conversation.reasoning, model),
    responseModalities: modalitiesOf(conversation, model),
  }),
  ...formatOf(conversation),
});

/** Models without a system instruction: it goes in front of the user's text. */
const withoutSystem = /^(?:gemma-[1-3]|gemini-1\.0|gemini-pro)/;

const withSystem = (text: string, contents: readonly GeminiContent[]): readonly GeminiContent[] => {
  const [first, ...rest] = contents;
  const part = { text };
  if (first?.role !== 'user') return [{ role: 'user', parts: [part] }, ...contents];
  return [{ ...first, parts: [part, ...first.parts] }, ...rest];
};

const text = { kind: 'text' } as const;

/** Before the third generation an answer's format cannot be combined with tools. */
const takesFormat = ({ tools }: Conversation, model: string): boolean =>
  tools.length === 0 || thinkingOf(model) === 'level';

/** A conversation in the format of `generateContent`. Throws `UnfetchedError`. */
export const geminiBody = (whole: Conversation, model: string, choices = 1): Json => {
  const conversation = takesFormat(whole, model) ? whole : { ...withFormatWords(whole), answerFormat: text };
  const { system, tools, toolChoice } = conversation;
  const contents = geminiContents(conversation, thinkingOf(model) === 'level');
  const instruction = system.map((part) => part.text).join('\n\n');
  const inFront = instruction !== '' && withoutSystem.test(model);
  const config = configOf(conversation, model, choices);
  return {
    ...(instruction !== '' && !inFront && { systemInstruction: { parts: [{ text: instruction }] } }),
    contents: inFront ? withSystem(instruction, contents) : contents,
    ...(tools.length > 0 && { tools: toolsOf(tools) }),
    ...(tools.length > 0 && toolChoice !== null && { toolConfig: { functionCallingConfig: callingOf(toolChoice) } }),
    safetySettings,
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
};
