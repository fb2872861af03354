import type { Statement } from '@weir/contract/bills/bills';
import { useLanguage } from '../../lib/browser/locale.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { countText, dollars } from './bill-rows.ts';

const shownLines = 8;

/** What a report was understood to say, before it is stored. */
export const StatementPreview = ({ statement: { lines, rows } }: { readonly statement: Statement }) => {
  const t = useT();
  const language = useLanguage();
  const days = lines.map(({ day }) => day).toSorted();
  return (
    <section aria-label={t(m.bill_preview)} className="min-w-0 rounded-card border border-line">
      <h3 className="border-b border-line px-3 py-2 text-13 font-semibold">
        {t(m.bill_preview_facts, {
          rows: rows.toLocaleString(language),
          lines: lines.length.toLocaleString(language),
          from: days[0] ?? '',
          to: days.at(-1) ?? '',
        })}
      </h3>
      <ul className="px-3 py-1 text-13">
        {lines.slice(0, shownLines).map(({ day, model, input, output, cost }) => (
          <li key={`${day} ${model}`} className="border-t border-line py-1.5 first:border-t-0">
            <span className="block wrap-anywhere">{`${day} · ${model}`}</span>
            <span className="text-12 text-mute tabular-nums">
              {t(m.bill_preview_line, {
                input: countText(input, language),
                output: countText(output, language),
                cost: dollars(cost),
              })}
            </span>
          </li>
        ))}
      </ul>
      {lines.length > shownLines && (
        <p className="border-t border-line px-3 py-2 text-12 text-mute">
          {t(m.bill_preview_more, { count: (lines.length - shownLines).toLocaleString(language) })}
        </p>
      )}
    </section>
  );
};
