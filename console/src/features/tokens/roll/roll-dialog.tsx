import type { Token } from '@weir/contract/tokens';
import { useState } from 'react';
import { Field } from '../../../components/form/field.tsx';
import { Select } from '../../../components/form/select.tsx';
import { FormDialog } from '../../../components/overlay/form-dialog.tsx';
import { SecretDialog } from '../../../components/overlay/secret-dialog.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';

/** What the server needs to roll a key. */
export interface RollRequest {
  readonly id: number;
  readonly roll_id: string;
  readonly overlap_seconds: number;
}

const overlaps = ['0', '3600', '86400', '604800', '2592000'] as const;
type Overlap = (typeof overlaps)[number];
const labels: Readonly<Record<Overlap, Message>> = {
  0: m.token_overlap_none,
  3600: m.token_overlap_hour,
  86400: m.token_overlap_day,
  604800: m.token_overlap_week,
  2592000: m.token_overlap_month,
};

/** A name for this roll: a repeated request gets the same key. Also without a secure context. */
const createRollId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

interface RollDialogProps {
  readonly token: Pick<Token, 'id' | 'name'>;
  /** What is said beside the new key. */
  readonly ready: Message;
  /** Resolves to the token with its new key. */
  readonly roll: (request: RollRequest) => Promise<Token>;
  readonly onClose: () => void;
}

/** Asks how long the present key shall work, rolls it, and shows the new one. */
export const RollDialog = ({ token, ready, roll, onClose }: RollDialogProps) => {
  const t = useT();
  const [rollId] = useState(createRollId);
  const [overlap, setOverlap] = useState<Overlap>('86400');
  const [busy, setBusy] = useState(false);
  const [rolled, setRolled] = useState<Token>();
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      setRolled(await roll({ id: token.id, roll_id: rollId, overlap_seconds: Number(overlap) }));
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  if (rolled) {
    return (
      <SecretDialog
        title={t(m.token_new_key, { name: rolled.name })}
        text={t(ready)}
        secret={`sk-${rolled.key}`}
        label={t(m.token_value)}
        copyLabel={t(m.token_copy)}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t(m.token_roll_title, { name: token.name })}
      text={t(m.token_roll_text)}
      verb={t(m.token_roll)}
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label={t(m.token_overlap)}>
        {(control) => (
          <Select
            {...control}
            value={overlap}
            choices={overlaps.map((seconds) => [seconds, t(labels[seconds])] as const)}
            onPick={setOverlap}
          />
        )}
      </Field>
    </FormDialog>
  );
};
