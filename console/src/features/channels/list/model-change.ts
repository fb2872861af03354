import type { Channel } from '@weir/contract/channels';
import { splitList } from '../../../lib/format/format.ts';

/** A change of several channels' models: add, remove, or copy those of another channel with its redirects. */
export type ModelChange =
  | { readonly kind: 'add' | 'remove'; readonly names: readonly string[] }
  | { readonly kind: 'copy'; readonly names: readonly string[]; readonly mapping: string };

/** The members that a change sends. */
export interface ModelFields {
  readonly models: string;
  readonly model_mapping?: string;
}

type Served = Pick<Channel, 'models' | 'model_mapping'>;

/** Other servers of the contract leave it null. */
const mappingOf = ({ model_mapping: mapping }: Served): string => mapping ?? '';

export const copyOf = (source: Served): ModelChange => ({
  kind: 'copy',
  names: splitList(source.models),
  mapping: mappingOf(source),
});

const namesAfter = (before: readonly string[], { kind, names }: ModelChange): readonly string[] => {
  if (kind === 'copy') return names;
  return kind === 'add' ? [...new Set([...before, ...names])] : before.filter((name) => !names.includes(name));
};

/** The effect of a change on one channel; `fields` undefined: nothing to send. */
export interface ModelEffect {
  readonly added: number;
  readonly removed: number;
  readonly redirects: boolean;
  /** No model would be left, which is invalid: the channel stays unchanged. */
  readonly empties: boolean;
  readonly fields: ModelFields | undefined;
}

export const effectOn = (channel: Served, change: ModelChange): ModelEffect => {
  const before = splitList(channel.models);
  const after = namesAfter(before, change);
  const added = after.filter((name) => !before.includes(name)).length;
  const removed = before.filter((name) => !after.includes(name)).length;
  const redirects = change.kind === 'copy' && change.mapping !== mappingOf(channel);
  const empties = after.length === 0;
  const changes = !empties && (added > 0 || removed > 0 || redirects);
  const models = after.join(',');
  const fields = redirects ? { models, model_mapping: change.mapping } : { models };
  return { added, removed, redirects, empties, fields: changes ? fields : undefined };
};
