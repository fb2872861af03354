import { defaultGroup } from '@weir/contract/groups';
import { splitList } from '../../lib/format/format.ts';

/** The groups of an account as people read them; the wire joins them with commas, and none is the default one. */
export const groupsOf = (group: string | null | undefined): string => splitList(group).join(', ') || defaultGroup;
