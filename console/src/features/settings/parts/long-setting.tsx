import type { OptionEntry } from '@weir/contract/options';
import { Configured } from '../../../components/text/configured.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Textarea } from '../../../components/form/textarea.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { entryOf, useOptionText } from '../setting.ts';
import type { SettingProps } from '../setting.ts';
import { useSettings } from '../settings-context.ts';

/** A text of many lines with a preview. */
export const LongSetting = ({ name }: SettingProps) => {
  const { label, hint } = useOptionText(name);
  const { problem, readOnly, text, type } = useSettings();
  const value = text(name);
  return (
    <div className="grid grid-cols-2 gap-4 max-lg:grid-cols-1">
      <Field label={label} hint={hint} error={problem(name)}>
        {(control) => (
          <Textarea
            {...control}
            value={value}
            rows={9}
            readOnly={readOnly}
            className="font-mono text-13"
            onChange={(event) => type(name, event.target.value)}
          />
        )}
      </Field>
      <Preview label={label} text={value} format={entryOf(name).format} />
    </div>
  );
};

interface PreviewProps {
  readonly label: string;
  readonly text: string;
  readonly format: OptionEntry['format'];
}

const Preview = ({ label, text, format }: PreviewProps) => {
  const t = useT();
  const framed = format === 'page' && text.startsWith('https://');
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span className="text-13 font-medium text-mute">{t(m.setting_preview)}</span>
      <div
        role="region"
        aria-label={t(m.setting_preview_of, { name: label })}
        tabIndex={0}
        className="max-h-64 min-h-24 flex-1 overflow-auto rounded-control border border-line p-3"
      >
        {text.trim() === '' && <p className="text-mute">{t(m.setting_preview_empty)}</p>}
        {framed && <p className="text-mute wrap-anywhere">{t(m.setting_preview_framed, { address: text.trim() })}</p>}
        {!framed && text.trim() !== '' && <Configured text={text} as={format === 'html' ? 'html' : 'markdown'} />}
      </div>
    </div>
  );
};
