import type { Token } from '@weir/contract/tokens';
import { FormButtons } from '../../../components/form/form-buttons.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { m } from '../../../paraglide/messages.js';
import { TokenFields } from './token-fields.tsx';
import { useEditToken } from './use-edit-token.ts';

export const EditTokenForm = ({ token }: { readonly token: Token }) => {
  const t = useT();
  const { values, change, errors, busy, submit } = useEditToken(token, () =>
    navigate('/token', { keepSearch: true, ignoreGuards: true }),
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
