import { BaseSequencer } from 'vitest/node';

/** Files that take half a minute or more, the slowest first. */
const slowest = [
  'contract/fuzz',
  'processes/alerts',
  'engine/migrate',
  'import/import',
  'simulator/simulator',
  'faults/failpoints',
  'credentials/reseal',
  'jobs/archive-months',
  'relay/parallel-spending',
  'faults/kill-loop',
  'faults/redeem-races',
];

/** @param {string} file */
const placeOf = (file) => {
  const place = slowest.findIndex((name) => file.endsWith(`/${name}.test.ts`));
  return place === -1 ? slowest.length : place;
};

/**
 * The slowest files of each suite begin first, so that none runs alone at its end. Vitest itself knows but their sizes on
 * a fresh clone.
 */
export class SlowestFirst extends BaseSequencer {
  /** @override @param {Parameters<BaseSequencer['sort']>[0]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    /** @param {(typeof files)[number]} file */
    const groupOf = ({ project }) => project.config.sequence.groupOrder;
    return sorted.toSorted(
      (one, other) => groupOf(one) - groupOf(other) || placeOf(one.moduleId) - placeOf(other.moduleId),
    );
  }
}
