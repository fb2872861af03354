import { Configured } from '../../../components/text/configured.tsx';
import { Field } from '../../../components/form/field.tsx';
import { Textarea } from '../../../components/form/textarea.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import type { Setting } from '../setting.ts';
import { useSettings } from '../settings-context.ts';

interface LongSettingProps {
  readonly setting: Setting;
  readonly shows: 'html' | 'markdown' | 'page';
}

/** A text of many lines and, beside it, what visitors will see. */
export const LongSetting = ({ setting: { key, label, hint }, shows }: LongSettingProps) => {
  const t = useT();
  const { problem, readOnly, text, type } = useSettings();
  const value = text(key);
  return (
    <div className="grid grid-cols-2 gap-4 max-lg:grid-cols-1">
      <Field label={t(label)} hint={hint && t(hint)} error={problem(key)}>
        {(control) => (
          <Textarea
            {...control}
            value={value}
            rows={9}
            readOnly={readOnly}
            className="font-mono text-13"
            onChange={(event) => type(key, event.target.value)}
          />
        )}
      </Field>
      <Preview name={t(label)} text={value} shows={shows} />
    </div>
  );
};

interface PreviewProps {
  readonly name: string;
  readonly text: string;
  readonly shows: LongSettingProps['shows'];
}

const Preview = ({ name, text, shows }: PreviewProps) => {
  const t = useT();
  const framed = shows === 'page' && text.startsWith('https://');
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span className="text-13 font-medium text-mute">{t(m.setting_preview)}</span>
      <div
        role="region"
        aria-label={t(m.setting_preview_of, { name })}
        tabIndex={0}
        className="max-h-64 min-h-24 flex-1 overflow-auto rounded-control border border-line p-3"
      >
        {text.trim() === '' && <p className="text-mute">{t(m.setting_preview_empty)}</p>}
        {framed && <p className="text-mute wrap-anywhere">{t(m.setting_preview_framed, { address: text.trim() })}</p>}
        {!framed && text.trim() !== '' && <Configured text={text} as={shows === 'html' ? 'html' : 'markdown'} />}
      </div>
    </div>
  );
};
