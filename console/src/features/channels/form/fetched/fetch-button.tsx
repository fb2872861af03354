import { fetchChannelModels } from '@weir/contract/channels';
import type { DataOf } from '@weir/contract/endpoint';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { call } from '../../../../lib/api/call.ts';
import { useCapabilities } from '../../../../lib/api/capabilities.ts';
import { toastFailure } from '../../../../lib/toasts.ts';
import { useT } from '../../../../lib/hooks/use-t.ts';
import { m } from '../../../../paraglide/messages.js';
import type { ChannelPartProps } from '../channel-part-props.ts';
import { connectionOf } from '../channel-values.ts';

const FetchedSheet = lazy(async () => ({ default: (await import('./fetched-sheet.tsx')).FetchedSheet }));

interface FetchButtonProps extends ChannelPartProps {
  /** The names that the channel is to offer. */
  readonly onNames: (names: readonly string[]) => void;
}

/** Compares the models with those that the provider lists; before a key is entered there is nothing to ask with. */
export const FetchButton = ({ id, values, secret, automatic, onNames }: FetchButtonProps) => {
  const t = useT();
  const ours = useCapabilities();
  const [busy, setBusy] = useState(false);
  const [fetched, setFetched] = useState<DataOf<typeof fetchChannelModels>>();
  const fetchNames = async (): Promise<void> => {
    setBusy(true);
    try {
      const typed = { ...connectionOf(values), key: secret.key };
      setFetched(await call(fetchChannelModels, { body: id === undefined ? typed : { ...typed, id } }));
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const close = (): void => setFetched(undefined);
  if (!ours) return null;
  return (
    <>
      <Button
        sends
        size="h-7 px-2.5 text-13 pointer-coarse:h-10"
        busy={busy}
        disabled={!secret.stored && secret.key.trim() === ''}
        onClick={() => void fetchNames()}
      >
        {t(m.channel_models_fetch)}
      </Button>
      {fetched && (
        <Suspense>
          <FetchedSheet
            {...fetched}
            automatic={automatic}
            onApply={(names) => {
              onNames(names);
              close();
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
};
