import { useQuery } from '@tanstack/react-query';
import { listRetiringModels } from '@weir/contract/models';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ModelEnd } from '../../../components/text/model-facts.tsx';
import { call } from '../../../lib/api/call.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

const freshMs = 60_000;

interface RetiringPartProps {
  /** The stored channel. */
  readonly id: number;
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
}

/** The offered models that the vendor has ended or ends soon, to be replaced or removed. */
export const RetiringPart = ({ id, chosen, onChoose }: RetiringPartProps) => {
  const t = useT();
  const { data } = useQuery({
    queryKey: ['attention', 'retiring'],
    staleTime: freshMs,
    queryFn: ({ signal }) => call(listRetiringModels, { signal }),
  });
  const models = data?.find((channel) => channel.id === id)?.models.filter(({ model }) => chosen.includes(model)) ?? [];
  if (models.length === 0) return null;
  /** The replacement takes the place of the model. */
  const replace = (model: string, replacement: string): void =>
    onChoose(chosen.map((name) => (name === model ? replacement : name)));
  return (
    <section aria-label={t(m.channel_retiring)} className="flex flex-col gap-2">
      <Notice tone="warn">{t(m.channel_retiring_note, { count: models.length })}</Notice>
      <ul className="flex flex-col">
        {models.map(({ model, ends, replacement }) => (
          <li key={model} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5">
            <span className="min-w-0 flex-1 basis-48 font-mono text-13 wrap-anywhere">{model}</span>
            <ModelEnd ends={ends} />
            {replacement !== '' && (
              <Button
                size="h-7 px-2.5 text-13 pointer-coarse:h-10"
                aria-label={t(m.channel_retiring_replace_named, { name: model, replacement })}
                onClick={() => replace(model, replacement)}
              >
                {t(m.channel_retiring_replace, { replacement })}
              </Button>
            )}
            <Button
              size="h-7 px-2.5 text-13 pointer-coarse:h-10"
              look="quiet"
              aria-label={t(m.channel_models_remove_retired, { name: model })}
              onClick={() => onChoose(chosen.filter((name) => name !== model))}
            >
              {t(m.channel_bulk_models_remove)}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
};
