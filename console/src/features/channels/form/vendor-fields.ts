import type { AddressLabel, OtherLabel } from '@weir/contract/catalogue/vendor';
import { vendorOf } from '@weir/contract/catalogue/vendors';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** How the form shows a member with a vendor-specific meaning. */
export interface FieldTexts {
  readonly label: Message;
  readonly hint?: Message;
  readonly placeholder?: string;
}

interface VendorFields {
  readonly baseUrl: FieldTexts;
  /** The wire's member `other`; absent: the form has no field for it. */
  readonly other?: FieldTexts;
  /** The value of `other` if the field is empty. */
  readonly otherDefault: string;
  /** The member of `config` that is in force while `other` is empty; empty: none. */
  readonly otherMember: string;
}

const plainUrl: FieldTexts = { label: m.channel_base_url, hint: m.channel_base_url_hint };

const addressTexts: Readonly<Record<AddressLabel, FieldTexts>> = {
  endpoint: { label: m.channel_endpoint },
  custom: { label: m.channel_custom_url, hint: m.channel_base_url_custom_hint },
  private: { label: m.channel_private_url },
  host: { label: m.channel_base_url, hint: m.channel_base_url_custom_hint },
  compatible: { label: m.channel_base_url, hint: m.channel_base_url_compatible_hint },
};

const otherTexts: Readonly<Record<OtherLabel, FieldTexts>> = {
  apiVersion: { label: m.channel_api_version },
  modelVersion: { label: m.channel_model_version },
  plugin: { label: m.channel_plugin },
  libraryId: { label: m.channel_library_id },
  region: { label: m.channel_region, hint: m.channel_region_hint },
  botUser: { label: m.channel_bot_user, hint: m.channel_bot_user_hint },
  accountId: { label: m.channel_account_id, hint: m.channel_account_id_hint },
};

const withExample = (texts: FieldTexts, example: string | undefined): FieldTexts =>
  example === undefined ? texts : { ...texts, placeholder: example };

/** The base URL and the extra member of a channel type, from its vendor's row (specification §9). */
export const fieldsOfType = (type: number): VendorFields => {
  const { address, other } = vendorOf(type) ?? {};
  return {
    baseUrl: address === undefined ? plainUrl : withExample(addressTexts[address.label], address.example),
    ...(other?.label !== undefined && { other: withExample(otherTexts[other.label], other.example) }),
    otherDefault: other?.default ?? '',
    otherMember: other?.configMember ?? '',
  };
};
