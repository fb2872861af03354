import { measures } from '../../lib/measures.ts';
import type { Measure } from '../../lib/measures.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { ViewTabs } from '../view-tabs.tsx';

const words: Record<Measure, Message> = { quota: m.dash_spend, requests: m.dash_requests, tokens: m.dash_tokens };

interface MeasureTabsProps {
  readonly measure: Measure;
  /** Undefined: spend, the default, which is not in the address. */
  readonly onPick: (measure: Measure | undefined) => void;
}

/** The measure of a usage chart. */
export const MeasureTabs = ({ measure, onPick }: MeasureTabsProps) => {
  const t = useT();
  return (
    <ViewTabs
      label={t(m.dash_measure)}
      views={measures.map((id) => [id, t(words[id])] as const)}
      current={measure}
      onPick={(picked) => onPick(picked === 'quota' ? undefined : picked)}
    />
  );
};
