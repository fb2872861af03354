import type { ServiceClass } from '@weir/contract/prices/price-book';

/** The tiers that vendors report and that have prices of their own, by the names of OpenAI, Anthropic, Google and AWS. */
const classes: ReadonlyMap<string, ServiceClass> = new Map([
  ['batch', 'batch'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['service_tier_flex', 'flex'],
  ['service_tier_priority', 'priority'],
  ['on_demand_flex', 'flex'],
  ['on_demand_priority', 'priority'],
]);

/** The service class of a reported tier; undefined: the standard one, or none that has prices. */
export const serviceClassOf = (tier: unknown): ServiceClass | undefined =>
  typeof tier === 'string' ? classes.get(tier.toLowerCase()) : undefined;

/** Tiers of requests that leave the choice to the vendor, beside one that is not named. */
const open: ReadonlySet<string> = new Set(['', 'auto']);

/**
 * Whether a call can have had a service class, by the tier that its request names ('': none). A cheaper one is not
 * believed where the request demanded another, and a batch is none of the relay's calls.
 */
export const allowsClass = (asked: string, reported: ServiceClass): boolean => {
  if (reported === 'batch') return false;
  return reported === 'priority' || open.has(asked) || serviceClassOf(asked) === reported;
};

/** The dearest service class that a request asks for; undefined: the standard one. */
export const heldClass = (asked: string): ServiceClass | undefined =>
  asked === 'auto' || serviceClassOf(asked) === 'priority' ? 'priority' : undefined;
