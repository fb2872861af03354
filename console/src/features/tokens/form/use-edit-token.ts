import { useQueryClient } from '@tanstack/react-query';
import { tokenStatus } from '@weir/contract/tokens';
import type { Token } from '@weir/contract/tokens';
import { useState } from 'react';
import { toast } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { canReturn, setStatus, update } from '../queries.ts';
import { valuesOf } from './token-values.ts';
import type { TokenValues } from './token-values.ts';
import { useTokenForm } from './use-token-form.ts';

/** The values of the edit form of a token, and its submit action. */
export const useEditToken = (token: Token, onSaved: () => Promise<void>) => {
  const client = useQueryClient();
  // As first loaded: a refetch while the form is open must not overwrite what was typed.
  const [loaded] = useState(token);
  const [initial] = useState(() => valuesOf(token));
  const [values, setValues] = useState(initial);
  const form = useTokenForm({
    values,
    initial,
    save: async (fields) => {
      await update(client, loaded, fields);
      toast('success', m.token_updated());
      // The token was edited to be used again: no second step.
      if (canReturn(loaded.status, fields, Date.now())) {
        await setStatus(client, loaded, tokenStatus.enabled);
        toast('info', m.token_enabled_again({ name: fields.name }));
      }
      await onSaved();
    },
  });
  const change = (changes: Partial<TokenValues>): void => setValues({ ...values, ...changes });
  return { ...form, values, change };
};
