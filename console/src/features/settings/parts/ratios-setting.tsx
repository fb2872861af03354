import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { JsonField } from '../../../components/form/json-field.tsx';
import { ViewTabs } from '../../../components/view-tabs.tsx';
import { useSearchState } from '../../../lib/hooks/use-search-state.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { RatioTable } from './ratio-table.tsx';
import { ratioChanges, readRatios } from './ratios.ts';
import type { Ratios } from './ratios.ts';
import { useOptionText } from '../setting.ts';
import type { SettingProps } from '../setting.ts';
import { useSettings } from '../settings-context.ts';
import { settingsSearch } from '../settings-search.ts';

/** Minimum and maximum number of lines shown. */
const [rowsMin, rowsMax] = [6, 14];
const small = 'h-7 px-2.5 text-13 pointer-coarse:h-10';

/** A table of ratios, as JSON text or as rows; both edit the same text. */
export const RatiosSetting = ({ name }: SettingProps) => {
  const t = useT();
  const { label, hint } = useOptionText(name);
  const { problem, readOnly, stored, text, type } = useSettings();
  const [{ price }] = useSearchState(settingsSearch);
  const model = name === 'ModelRatio' ? price : undefined;
  const [view, setView] = useState<'json' | 'table'>(model === undefined ? 'json' : 'table');
  const [value, before] = [text(name), stored(name)];
  const [ratios, old] = [readRatios(value), readRatios(before) ?? {}];
  const views = [
    ['json', 'JSON'],
    ['table', t(m.setting_ratios_table)],
  ] as const;
  const tools = <Tools name={name} ratios={ratios} />;
  const tabs = (
    <ViewTabs label={t(m.setting_ratios_view, { name: label })} views={views} current={view} onPick={setView} />
  );
  if (view === 'json') {
    return (
      <JsonField
        label={label}
        hint={hint}
        aside={tabs}
        value={value}
        rows={Math.min(Math.max(value.split('\n').length, rowsMin), rowsMax)}
        readOnly={readOnly}
        error={problem(name)}
        onChange={(next) => type(name, next)}
        actions={tools}
      />
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end justify-between gap-3">
        <span className="text-13 font-medium">{label}</span>
        {tabs}
      </div>
      {ratios === undefined ? (
        <p className="text-13 text-bad">{t(m.setting_ratios_broken)}</p>
      ) : (
        <RatioTable
          name={name}
          label={label}
          ratios={ratios}
          stored={old}
          preset={model}
          onChange={(next) => type(name, next)}
        />
      )}
      <span className="flex gap-2">{tools}</span>
    </div>
  );
};

interface ToolsProps extends SettingProps {
  readonly ratios: Ratios | undefined;
}

/** Copies the text, resets it to the stored one, and shows the difference. */
const Tools = ({ name, ratios }: ToolsProps) => {
  const t = useT();
  const { stored, text, type } = useSettings();
  const [value, before] = [text(name), stored(name)];
  const isChanged = value !== before;
  return (
    <>
      <CopyButton text={value} label={t(m.copy_named, { name: t(m.option_label, { key: name }) })} />
      {isChanged && (
        <Button size={small} onClick={() => type(name, before)}>
          {t(m.setting_revert)}
        </Button>
      )}
      <span role="status" className="self-center text-13 text-mute">
        {isChanged && ratios !== undefined && <Difference before={readRatios(before) ?? {}} after={ratios} />}
      </span>
    </>
  );
};

const Difference = (tables: { readonly before: Ratios; readonly after: Ratios }) => {
  const t = useT();
  const { changed, added, removed } = ratioChanges(tables.before, tables.after);
  return t(m.setting_ratios_diff, { changed: changed.length, added: added.length, removed: removed.length });
};
