import { useQuery } from '@tanstack/react-query';
import { vendorOf } from '@weir/contract/catalogue/vendors';
import { lazy, Suspense } from 'react';
import type { ComponentProps } from 'react';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { MultiSelect } from '../../../components/form/multi-select.tsx';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
import { splitList } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelPartProps } from './channel-part-props.ts';
import { isBasicModel } from './channel-values.ts';
import { FetchButton } from './fetched/fetch-button.tsx';
import { catalogueQuery, typeModelsQuery } from '../queries.ts';

const RetiringPart = lazy(async () => ({ default: (await import('./retiring-part.tsx')).RetiringPart }));

const noNames: readonly string[] = [];

/** How many are chosen, and how names of the type are written where that is not the vendor's list. */
const useModelsHint = (type: number, count: number): string => {
  const t = useT();
  const form = vendorOf(type)?.modelHint;
  const hint = t(m.channel_models_hint, { count });
  return form === undefined ? hint : `${t(m.channel_models_form, { form })} ${hint}`;
};

/** The model names that the channel serves. */
export const ModelsPart = (props: ChannelPartProps) => {
  const { values, problem, onChange } = props;
  const t = useT();
  const { data: catalogue = noNames } = useQuery(catalogueQuery);
  const { data: byType } = useQuery(typeModelsQuery);
  const chosen = splitList(values.models);
  const choose = (names: readonly string[]): void => onChange({ models: [...new Set(names)].join(',') });
  const ofType = byType?.[values.type] ?? noNames;
  const fills = [
    [m.channel_fill_type, ofType],
    [m.channel_fill_basic, catalogue.filter(isBasicModel)],
    [m.channel_fill_all, catalogue],
  ] as const;
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t(m.channel_models_offered)}
        hint={useModelsHint(values.type, chosen.length)}
        error={problem === 'models' ? t(m.channel_no_model) : undefined}
      >
        {(control) => (
          <MultiSelect
            {...control}
            known={catalogue}
            chosen={chosen}
            onChange={choose}
            placeholder={t(m.channel_models_placeholder)}
            unknownNote={t(m.channel_models_unknown)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        {fills.map(([text, names]) => (
          <Button
            key={t(text)}
            size="h-7 px-2.5 text-13 pointer-coarse:h-10"
            disabled={names.length === 0}
            onClick={() => choose([...chosen, ...names])}
          >
            {t(text)}
          </Button>
        ))}
        <FetchButton {...props} onNames={choose} />
        <Button
          size="h-7 px-2.5 text-13 pointer-coarse:h-10"
          look="quiet"
          disabled={chosen.length === 0}
          onClick={() => choose([])}
        >
          {t(m.channel_models_clear)}
        </Button>
      </div>
      {props.id !== undefined && <StoredPart id={props.id} chosen={chosen} onChoose={choose} />}
    </div>
  );
};

/** What is known of the models of a stored channel. */
const StoredPart = (props: ComponentProps<typeof RetiringPart>) =>
  useCapabilities() && (
    <Suspense>
      <RetiringPart {...props} />
    </Suspense>
  );
