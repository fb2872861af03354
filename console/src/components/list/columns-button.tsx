import { Suspense, lazy, useState } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { ColumnPanelProps } from './column-panel.tsx';
import { IconButton } from '../icon-button.tsx';

const panel = () => import('./column-panel.tsx');
const ColumnPanel = lazy(async () => ({ default: (await panel()).ColumnPanel }));

/** Opens the panel of a list's columns and density. */
export const ColumnsButton = (props: Omit<ColumnPanelProps, 'anchor' | 'label' | 'onClose'>) => {
  const t = useT();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const label = t(props.dense ? m.columns : m.columns_and_density);
  return (
    <>
      <IconButton
        icon="columns"
        label={label}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onPointerEnter={() => void panel()}
        onFocus={() => void panel()}
        onClick={(event) => setAnchor(anchor === undefined ? event.currentTarget : undefined)}
      />
      {anchor && (
        <Suspense>
          <ColumnPanel {...props} anchor={anchor} label={label} onClose={() => setAnchor(undefined)} />
        </Suspense>
      )}
    </>
  );
};
