import type { QueryClient } from '@tanstack/react-query';
import {
  createKeyPreset,
  deleteKeyPreset,
  listKeyPresets,
  updateKeyPreset,
} from '@weir/contract/invitations/key-presets';
import type { KeyPreset, KeyPresetInput } from '@weir/contract/invitations/key-presets';
import { call } from '../../../lib/api/call.ts';

const key = ['key-presets'] as const;

/** The query of the list, which is whole. */
export const presetsList = () => ({
  key: [...key, 'list'],
  whole: true,
  fetchPage: (_: number, signal: AbortSignal): Promise<KeyPreset[]> => call(listKeyPresets, { signal }),
});

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key });

/** Creates a preset, or changes the one of an ID. */
export const savePreset = async (
  client: QueryClient,
  id: number | undefined,
  preset: KeyPresetInput,
): Promise<void> => {
  if (id === undefined) await call(createKeyPreset, { body: preset });
  else await call(updateKeyPreset, { body: { id, ...preset } });
  await refresh(client);
};

export const removePreset = async (client: QueryClient, { id }: KeyPreset): Promise<void> => {
  await call(deleteKeyPreset, { params: { id } });
  await refresh(client);
};
