import { callSeconds, isCallSeconds, isCostFactor } from '@weir/contract/config-values';
import type { ChannelConfig } from '@weir/contract/channel-config';

/** The members of a config text; empty if it is no JSON object. */
export const configMembers = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
};

/** The text with one member set, or removed if undefined. Members of other gateways and of vendors stay. */
export const withMember = (text: string, name: keyof ChannelConfig & string, value: unknown): string => {
  const { [name]: _, ...others } = configMembers(text);
  const members = value === undefined ? others : { ...others, [name]: value };
  return Object.keys(members).length === 0 ? '' : JSON.stringify(members);
};

/** The invalid time-outs and cost factor that the gateway would refuse. */
export const wrongMembers = (text: string): ReadonlySet<string> => {
  const members = configMembers(text);
  const wrong = Object.keys(callSeconds).filter((name) => name in members && !isCallSeconds(members[name]));
  const factor = 'cost_factor' in members && !isCostFactor(members['cost_factor']) ? ['cost_factor'] : [];
  return new Set([...wrong, ...factor]);
};
