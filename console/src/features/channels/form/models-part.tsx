import { useQuery } from '@tanstack/react-query';
import { vendorOf } from '@weir/contract/catalogue/vendors';
import { fetchChannelModels } from '@weir/contract/channels';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/form/field.tsx';
import { MultiSelect } from '../../../components/form/multi-select.tsx';
import { call } from '../../../lib/api/call.ts';
import { useStatus } from '../../../lib/api/status.ts';
import { splitList, trimSlash } from '../../../lib/format/format.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelPartProps } from './channel-part-props.ts';
import { isBasicModel } from './channel-values.ts';
import { catalogueQuery, typeModelsQuery } from '../queries.ts';

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
  const { values, problem, automatic, onChange } = props;
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
        <FetchButton {...props} onNames={(names) => choose(automatic ? names : [...chosen, ...names])} />
        <Button
          size="h-7 px-2.5 text-13 pointer-coarse:h-10"
          look="quiet"
          disabled={chosen.length === 0}
          onClick={() => choose([])}
        >
          {t(m.channel_models_clear)}
        </Button>
      </div>
    </div>
  );
};

interface FetchButtonProps extends ChannelPartProps {
  readonly onNames: (names: readonly string[]) => void;
}

/** Adds the models that the provider lists for the key; before a key is entered there is nothing to ask with. */
const FetchButton = ({ id, values, secret, onNames }: FetchButtonProps) => {
  const t = useT();
  const ours = useStatus().build !== undefined;
  const [busy, setBusy] = useState(false);
  const fetchNames = async (): Promise<void> => {
    setBusy(true);
    try {
      const body = { type: values.type, key: secret.key, base_url: trimSlash(values.baseUrl) };
      const names = await call(fetchChannelModels, { body: id === undefined ? body : { ...body, id } });
      const known = splitList(values.models);
      const added = names.filter((name) => !known.includes(name)).length;
      onNames(names);
      toast('success', m.channel_models_fetched({ count: names.length, added }));
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  if (!ours) return null;
  return (
    <Button
      sends
      size="h-7 px-2.5 text-13 pointer-coarse:h-10"
      busy={busy}
      disabled={!secret.stored && secret.key.trim() === ''}
      onClick={() => void fetchNames()}
    >
      {t(m.channel_models_fetch)}
    </Button>
  );
};
