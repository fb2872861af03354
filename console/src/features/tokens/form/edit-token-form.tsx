import { useNavigate } from '@tanstack/react-router';
import type { Token } from '@weir/contract/tokens';
import { FormButtons } from '../../../components/form/form-buttons.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { TokenFields } from './token-fields.tsx';
import { useEditToken } from './use-edit-token.ts';

export const EditTokenForm = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const navigate = useNavigate();
  const { values, change, errors, busy, submit } = useEditToken(token, () =>
    navigate({ to: '/token', search: true, ignoreBlocker: true }),
  );
  return (
    <FormFrame
      title={t(m.token_edit_title)}
      onSubmit={submit}
      footer={<FormButtons cancelPath="/token" verb={t(m.save)} busy={busy} />}
    >
      <TokenFields values={values} errors={errors} onChange={change} />
    </FormFrame>
  );
};
