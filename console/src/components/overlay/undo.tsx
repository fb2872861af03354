import { useT } from '../../lib/hooks/use-t.ts';
import { useUndo } from '../../lib/undo.ts';
import { m } from '../../paraglide/messages.js';

/** "Undo" beside a control that was just changed, until the offer expires. */
export const Undo = ({ of }: { readonly of: string }) => {
  const t = useT();
  const undo = useUndo(of);
  if (undo === undefined) return null;
  return (
    <button
      type="button"
      className="ml-2 min-h-6 rounded-control px-1 text-12 font-medium text-brand underline-offset-2 hover:underline"
      onClick={undo}
    >
      {t(m.undo)}
    </button>
  );
};
