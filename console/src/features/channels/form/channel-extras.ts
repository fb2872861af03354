import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** How the form names a member that types use differently; undefined: the type does not ask for it. */
export interface ExtraField {
  readonly label: Message;
  readonly hint?: Message;
  readonly placeholder?: string;
}

export interface TypeFields {
  readonly baseUrl: ExtraField;
  /** The wire's member `other`. */
  readonly other?: ExtraField;
  /** What `other` becomes when left empty. */
  readonly otherDefault?: string;
}

const plainUrl: ExtraField = { label: m.channel_base_url, hint: m.channel_base_url_hint };

const byType: Readonly<Record<number, TypeFields>> = {
  3: {
    baseUrl: { label: m.channel_endpoint, placeholder: 'https://docs-test-001.openai.azure.com' },
    other: { label: m.channel_api_version, placeholder: '2024-03-01-preview' },
    otherDefault: '2024-03-01-preview',
  },
  8: { baseUrl: { label: m.channel_custom_url, hint: m.channel_base_url_custom_hint } },
  17: { baseUrl: plainUrl, other: { label: m.channel_plugin } },
  18: { baseUrl: plainUrl, other: { label: m.channel_model_version, placeholder: 'v2.1' }, otherDefault: 'v2.1' },
  21: { baseUrl: plainUrl, other: { label: m.channel_library_id } },
  22: { baseUrl: { label: m.channel_private_url, placeholder: 'https://fastgpt.run/api/openapi' } },
  33: { baseUrl: plainUrl, other: { label: m.channel_region, hint: m.channel_region_hint, placeholder: 'us-east-1' } },
  34: { baseUrl: plainUrl, other: { label: m.channel_bot_user, hint: m.channel_bot_user_hint } },
  37: { baseUrl: plainUrl, other: { label: m.channel_account_id, hint: m.channel_account_id_hint } },
  42: {
    baseUrl: plainUrl,
    other: { label: m.channel_region, hint: m.channel_region_hint, placeholder: 'us-central1' },
  },
  43: { baseUrl: { label: m.channel_base_url, hint: m.channel_base_url_custom_hint } },
  50: { baseUrl: { label: m.channel_base_url, hint: m.channel_base_url_compatible_hint } },
};

/** The address and the extra member of a channel type (specification §9). */
export const fieldsOfType = (type: number): TypeFields => byType[type] ?? { baseUrl: plainUrl };
