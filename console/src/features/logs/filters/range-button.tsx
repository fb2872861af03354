import { Suspense, lazy, useState } from 'react';
import { buttonClass } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import type { Patch } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { LogsSearch } from './logs-search.ts';
import { rangeText } from './range-text.ts';

const panel = () => import('./range-panel.tsx');
const RangePanel = lazy(async () => ({ default: (await panel()).RangePanel }));

interface RangeButtonProps {
  readonly search: LogsSearch;
  readonly patch: Patch<LogsSearch>;
}

/** The current time range; its panel loads on hover or focus. */
export const RangeButton = ({ search, patch }: RangeButtonProps) => {
  const t = useT();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const text = rangeText(search, t);
  return (
    <>
      <button
        type="button"
        aria-label={t(m.log_range, { range: text })}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        className={`${buttonClass('plain')} tabular-nums`}
        onPointerEnter={() => void panel()}
        onFocus={() => void panel()}
        onClick={(event) => setAnchor(anchor === undefined ? event.currentTarget : undefined)}
      >
        <Icon name="calendar" className="size-4 text-mute" />
        {text}
        <Icon name="down" className="size-3.5 text-mute" />
      </button>
      {anchor && (
        <Suspense>
          <RangePanel anchor={anchor} search={search} patch={patch} onClose={() => setAnchor(undefined)} />
        </Suspense>
      )}
    </>
  );
};
