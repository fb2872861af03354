import { useState } from 'react';
import { useSave } from '../../../components/form/use-save.ts';
import { currentT } from '../../../lib/hooks/use-t.ts';
import { focusFirstInvalid } from '../../../lib/hooks/focus-first-invalid.ts';
import { toast } from '../../../lib/toasts.ts';
import { amountError } from '../../../lib/amount-error.ts';
import { m } from '../../../paraglide/messages.js';
import type { TokenFields } from '../queries.ts';
import type { TokenErrors } from './token-fields.tsx';
import { wrongSubnet } from './subnets.ts';
import { fieldsOf } from './token-values.ts';
import type { TokenValues } from './token-values.ts';

interface TokenFormOptions {
  readonly values: TokenValues;
  readonly initial: TokenValues;
  readonly save: (fields: TokenFields) => Promise<void>;
}

/** Validates, submits, and guards a changed form against being left by accident. */
export const useTokenForm = ({ values, initial, save }: TokenFormOptions) => {
  const [errors, setErrors] = useState<TokenErrors>({});
  const { busy, save: send } = useSave({ values, initial });
  const submit = (): void => {
    if (busy) return;
    const fields = fieldsOf(values, Date.now(), initial.expiry);
    if (fields === 'expiry') {
      setErrors({ expiry: m.token_expiry_error() });
      toast('error', m.token_expiry_error());
      focusFirstInvalid();
    } else if (fields === 'past') {
      setErrors({ expiry: m.token_expiry_past() });
      focusFirstInvalid();
    } else if (fields === 'quota') {
      setErrors({ quota: amountError(currentT(), values.quota, 0) });
      focusFirstInvalid();
    } else if (fields === 'subnet') {
      setErrors({ subnet: m.token_subnet_error({ part: wrongSubnet(values.subnet) ?? '' }) });
      focusFirstInvalid();
    } else {
      setErrors({});
      send(() => save(fields));
    }
  };
  return { errors, busy, submit };
};
