import { useState } from 'react';
import { focusOnMount } from '../../lib/hooks/focus-on-mount.ts';
import { useStatus } from '../../lib/api/status.ts';
import { toastFailure } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Field } from '../form/field.tsx';
import { FormDialog } from '../overlay/form-dialog.tsx';
import { Input } from '../form/input.tsx';

interface WechatDialogProps {
  readonly title: string;
  readonly verb: string;
  /** Submits the code from the chat app; closes the dialog on success. */
  readonly onCode: (code: string) => Promise<void>;
  readonly onClose: () => void;
}

const codeMax = 64;

/** Prompts for the code that the chat app sends after the QR code was scanned. */
export const WechatDialog = ({ title, verb, onCode, onClose }: WechatDialogProps) => {
  const t = useT();
  const { wechat_qrcode: picture } = useStatus();
  const [code, setCode] = useState('');
  const [empty, setEmpty] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setEmpty(code.trim() === '');
    if (code.trim() === '') return;
    setBusy(true);
    try {
      await onCode(code.trim());
    } catch (error) {
      toastFailure(error);
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={title}
      text={t(m.wechat_hint)}
      verb={verb}
      busy={busy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {picture && (
        <img
          src={picture}
          alt={t(m.wechat_image)}
          width="200"
          height="200"
          className="size-50 self-center rounded-card border border-line object-contain"
        />
      )}
      <Field label={t(m.code_label)} error={empty ? t(m.code_empty) : undefined}>
        {(control) => (
          <Input
            {...control}
            tall
            ref={focusOnMount}
            value={code}
            maxLength={codeMax}
            inputMode="numeric"
            autoComplete="one-time-code"
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
};
