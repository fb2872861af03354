import { Suspense, lazy, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { JsonField } from '../../../components/form/json-field.tsx';
import { ViewTabs } from '../../../components/view-tabs.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { ChannelPartProps } from './channel-part-props.ts';
import { mappingExample } from './channel-values.ts';
import { readMapping } from './mapping.ts';

const MappingTable = lazy(async () => ({ default: (await import('./mapping-table.tsx')).MappingTable }));

/** Model redirects, as JSON text or as rows; both edit the same text. */
export const MappingField = ({ values, problem, onChange }: ChannelPartProps) => {
  const t = useT();
  const [view, setView] = useState<'json' | 'table'>('json');
  const redirects = readMapping(values.mapping);
  const tabs = (
    <ViewTabs
      label={t(m.channel_mapping_view)}
      current={view}
      views={[
        ['json', 'JSON'],
        ['table', t(m.channel_mapping_table)],
      ]}
      onPick={setView}
    />
  );
  if (view === 'json') {
    return (
      <JsonField
        label={t(m.channel_mapping)}
        hint={t(m.channel_mapping_hint)}
        aside={tabs}
        value={values.mapping}
        error={problem === 'mapping' ? t(m.channel_mapping_invalid) : undefined}
        placeholder={mappingExample}
        onChange={(mapping) => onChange({ mapping })}
        actions={
          <Button size="h-7 px-2.5 text-13 pointer-coarse:h-10" onClick={() => onChange({ mapping: mappingExample })}>
            {t(m.channel_mapping_example)}
          </Button>
        }
      />
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end justify-between gap-3">
        <span className="text-13 font-medium">{t(m.channel_mapping)}</span>
        {tabs}
      </div>
      {redirects === undefined ? (
        <p className="text-13 text-bad">{t(m.channel_mapping_broken)}</p>
      ) : (
        <Suspense>
          <MappingTable redirects={redirects} onChange={(mapping) => onChange({ mapping })} />
        </Suspense>
      )}
      <p className="text-12 text-mute">{t(m.channel_mapping_hint)}</p>
    </div>
  );
};
