import type { ReactNode } from 'react';
import { useLanguage } from '../../lib/browser/locale.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Money } from '../text/money.tsx';
import { plainCell, plainFigure, plainSpare, PlainTable } from './plain-table.tsx';

/** What calls used and cost. */
export interface UsageSums {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly quota: number;
}

export interface UsageLine extends UsageSums {
  readonly id: string;
  readonly name: ReactNode;
}

interface UsageTableProps {
  readonly caption: string;
  /** Head of the names. */
  readonly head: string;
  readonly lines: readonly UsageLine[];
  /** Quota that was charged without a record in the log; 0: none. */
  readonly unlogged: number;
}

/** Usage, a line for each of some parts. */
export const UsageTable = ({ caption, head, lines, unlogged }: UsageTableProps) => {
  const t = useT();
  const language = useLanguage();
  const count = (value: number): string => value.toLocaleString(language);
  const heads = [
    [head, plainCell],
    [t(m.usage_calls), plainFigure],
    [t(m.usage_prompt_tokens), plainSpare],
    [t(m.usage_completion_tokens), plainSpare],
    [t(m.usage_cost), plainFigure],
  ] as const;
  return (
    <PlainTable caption={caption} heads={heads}>
      {lines.map(({ id, name, calls, promptTokens, completionTokens, quota }) => (
        <tr key={id} className="border-t border-line">
          <td className={`${plainCell} w-full max-w-0 truncate`}>{name}</td>
          <td className={plainFigure}>{count(calls)}</td>
          <td className={plainSpare}>{count(promptTokens)}</td>
          <td className={plainSpare}>{count(completionTokens)}</td>
          <td className={plainFigure}>
            <Money quota={quota} fine />
          </td>
        </tr>
      ))}
      {unlogged !== 0 && (
        <tr className="border-t border-line text-mute">
          <td className={`${plainCell} w-full max-w-0 truncate`}>{t(m.usage_unlogged)}</td>
          <td className={plainFigure} />
          <td className={plainSpare} />
          <td className={plainSpare} />
          <td className={plainFigure}>
            <Money quota={unlogged} fine />
          </td>
        </tr>
      )}
    </PlainTable>
  );
};
