import { isRecord } from '../is-record.ts';
import { readPreference, writePreference } from '../browser/storage.ts';

/** A list's address query under a name, stored in this browser. */
export interface SavedView {
  readonly name: string;
  /** With its `?`; empty for the plain list. */
  readonly search: string;
}

const viewsMax = 50;
const isView = (value: unknown): value is SavedView =>
  isRecord(value) && typeof value['name'] === 'string' && typeof value['search'] === 'string';

export const readViews = (list: string): readonly SavedView[] => {
  const stored = readPreference(`views:${list}`);
  return Array.isArray(stored) ? stored.filter(isView) : [];
};

/** The views after one was saved; one with the same name is replaced. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].slice(-viewsMax);

export const saveView = (list: string, view: SavedView): void =>
  writePreference(`views:${list}`, withView(readViews(list), view));

export const dropView = (list: string, name: string): void =>
  writePreference(
    `views:${list}`,
    readViews(list).filter((view) => view.name !== name),
  );
