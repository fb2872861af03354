import { CopyButton } from '../../components/text/copy-button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Money } from '../../components/text/money.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { formatTook } from '../../lib/format/format-took.ts';
import { stringifySearch } from '../../lib/lists/search-params.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { Answer } from './conversation.ts';

interface AnswerCardProps {
  readonly answer: Answer;
  /** Absent: the answer has follow-up questions and cannot be removed. */
  readonly onAgain: (() => void) | undefined;
  readonly onCode: () => void;
}

/** The answer of one model, its duration and its cost. */
export const AnswerCard = ({ answer, onAgain, onCode }: AnswerCardProps) => {
  const t = useT();
  const { model, text, state, problem } = answer;
  const running = state === 'running';
  return (
    <article
      aria-label={t(m.play_answer_of, { model })}
      aria-busy={running}
      className="flex min-w-0 flex-col rounded-card border border-line bg-panel"
    >
      <div className="flex items-center gap-1 border-b border-line py-1 pr-1 pl-3">
        <h2 className="min-w-0 flex-1 truncate font-mono text-12 font-semibold" title={model}>
          {model}
        </h2>
        {text !== '' && <CopyButton text={text} label={t(m.play_copy, { model })} />}
        {onAgain && <IconButton icon="refresh" label={t(m.play_again, { model })} onClick={onAgain} />}
        <IconButton icon="file" label={t(m.play_code, { model })} onClick={onCode} />
      </div>
      <div className="min-h-16 flex-1 px-3 py-2 wrap-anywhere whitespace-pre-wrap">
        {text}
        {running && (
          <span className="ml-1 inline-flex align-middle text-mute">
            <Spinner />
          </span>
        )}
        {state === 'stopped' && <p className="text-13 text-mute">{t(m.play_stopped)}</p>}
        {state === 'failed' && <Notice tone="bad">{problem}</Notice>}
      </div>
      {!running && <Measures answer={answer} />}
    </article>
  );
};

const Measures = ({ answer }: { readonly answer: Answer }) => {
  const t = useT();
  const { firstMs, totalMs, record } = answer;
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 border-t border-line px-3 py-2 text-12 text-mute tabular-nums">
      {firstMs > 0 && <span>{t(m.play_first, { took: formatTook(firstMs) })}</span>}
      {totalMs > 0 && <span>{t(m.play_total, { took: formatTook(totalMs) })}</span>}
      {record && (
        <>
          <span>{t(m.play_tokens, { prompt: record.prompt, completion: record.completion })}</span>
          <span className="font-medium text-ink">
            <Money quota={record.quota} fine />
          </span>
          <a
            href={`/log${stringifySearch({ id: record.id, at: record.at })}`}
            className="font-medium text-brand underline underline-offset-2"
          >
            {t(m.play_record)}
          </a>
        </>
      )}
    </p>
  );
};
