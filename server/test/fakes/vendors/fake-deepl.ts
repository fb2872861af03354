import { expect } from 'vitest';
import type { UpstreamForm } from '../fake-upstream.ts';
import { checkHeaders, fault, parse } from '../fake-upstream-check.ts';
import { isJson, textOf } from '../../parsing/json.ts';
import { vendorFixtures, type VendorFormat } from '../../provider-suite/vendor-fixtures.ts';

/** Of the free plan. */
export const deeplKey = '279a2e9d-83b3-c416-7e2d-f721593e42a0:fx';

/** DeepL's translations. Source: developers.deepl.com, "Translate text". */
export const deeplForm: UpstreamForm = {
  check: (input) => {
    const { headers } = input.request;
    const authorized = headers.authorization === `DeepL-Auth-Key ${input.key}` && headers['x-api-key'] === undefined;
    const wrong = checkHeaders(input, authorized);
    if (wrong !== undefined) return { ...wrong, status: wrong.status === 401 ? 403 : wrong.status };
    const body = parse(input.body);
    if (!isJson(body)) return fault('Bad request. Reason: body is not valid JSON.');
    const { text, target_lang: language } = body;
    if (!Array.isArray(text) || text.length === 0 || text.length > 50) return fault("Parameter 'text' not specified.");
    if (!/^(ZH|EN|JA|DE|FR|EN-GB|EN-US|ZH-HANS|ZH-HANT)$/.test(textOf(language)))
      return fault("Value for 'target_lang' not supported.");
    const prompt = text.map(textOf).join(' ');
    return {
      model: `deepl-${textOf(language).toLowerCase()}`,
      stream: false,
      includeUsage: true,
      maxTokens: null,
      prompt,
      nonce: '',
    };
  },
  refusal: ({ fault: message }) => JSON.stringify({ message }),
};

const content = { text: '巴黎怎么样？', prompt: Buffer.byteLength('How is Paris?') };

const checkRequest: VendorFormat['checkRequest'] = {
  text: (body) => expect(body).toEqual({ text: ['How is Paris?'], target_lang: 'ZH' }),
};

/** What DeepL answers: the vendor bills what it was given. */
export const deeplFixtures = {
  text: {
    ...vendorFixtures({
      source: 'developers.deepl.com, "Translate text"',
      whole: () => JSON.stringify({ translations: [{ detected_source_language: 'EN', text: content.text }] }),
      checkRequest,
    }).text,
    expected: {
      text: content.text,
      reasoning: '',
      calls: [],
      finish: 'stop',
      usage: { prompt: content.prompt, completion: 0 },
    },
  },
} as const;
