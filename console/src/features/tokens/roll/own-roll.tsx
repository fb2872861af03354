import { useQueryClient } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { report } from '../../../components/list/row-actions.ts';
import { Notice } from '../../../components/notice.tsx';
import { formatTime } from '../../../lib/format/format.ts';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { overlapEnd } from '../overlap.ts';
import { endOwnOverlap, rollOwn } from '../queries.ts';
import { RollDialog } from './roll-dialog.tsx';

/** The button that rolls the key of an own token. */
export const RollButton = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  if (!useCapabilities()) return null;
  return (
    <>
      <Button sends icon="refresh" onClick={() => setOpen(true)}>
        {t(m.token_roll)}
      </Button>
      {open && (
        <RollDialog
          token={token}
          ready={m.token_ready_text}
          roll={(request) => rollOwn(client, request)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};

/** Until when the replaced key works, and the button that ends it earlier. */
export const OverlapNotice = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const client = useQueryClient();
  const end = overlapEnd(token);
  if (end === undefined) return null;
  return (
    <div className="pb-4">
      <Notice tone="warn">
        <span className="flex flex-wrap items-center gap-3">
          {t(m.token_overlap_runs, { time: formatTime(end) })}
          <Button sends onClick={() => void report(endOwnOverlap(client, token))}>
            {t(m.token_overlap_end)}
          </Button>
        </span>
      </Notice>
    </div>
  );
};
