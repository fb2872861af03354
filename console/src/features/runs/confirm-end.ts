import type { QueryClient } from '@tanstack/react-query';
import type { Run } from '@weir/contract/limits/runs';
import { confirmRemoval } from '../../components/list/row-actions.ts';
import { m } from '../../paraglide/messages.js';
import { stopRun } from './queries.ts';

/** Ends a run after a confirmation. Resolves to whether it was ended. */
export const confirmEnd = (client: QueryClient, run: Run): Promise<boolean> =>
  confirmRemoval({ title: m.run_stop_title({ name: run.name }), text: m.run_stop_text(), verb: m.run_stop() }, () =>
    stopRun(client, run),
  );
