import { useQueryClient } from '@tanstack/react-query';
import type { PricedModel } from '@weir/contract/prices/own-prices';
import type { PriceCard } from '@weir/contract/prices/price-book';
import { useState } from 'react';
import { focusFirstInvalid } from '../../../lib/hooks/focus-first-invalid.ts';
import { parseTime } from '../../../lib/format/parse-time.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { m } from '../../../paraglide/messages.js';
import { currentOwn, isScope } from './compare.ts';
import type { Scope } from './compare.ts';
import { blankDraft, draftOf, draftOfRates, readDraft } from './price-draft.ts';
import type { PriceDraft, Problems } from './price-draft.ts';
import { removePrice, storePrice } from './queries.ts';

const everywhere: Scope = { group: '', channel: 0 };
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** The price that the form begins with: the own one of the scope, the list price, or what counts now. */
const firstDraft = (model: PricedModel, scope: Scope): PriceDraft => {
  const own = currentOwn(model, scope, nowSeconds()) ?? currentOwn(model, everywhere, nowSeconds());
  if (own) return draftOf(own.card);
  const { source, rates } = model.current;
  if (source === 'fallback' || source === 'free') return blankDraft;
  if (source === 'ratio' || source === 'built_in') return draftOfRates(rates);
  return model.list ? draftOf(model.list.card) : draftOfRates(rates);
};

const noProblems: Problems = new Set();

interface Typed {
  readonly scope: Scope;
  /** Empty: from now on. */
  readonly from: string;
  readonly draft: PriceDraft;
}

/** One change at a time; the editor closes after it. */
const useWork = (onClose: () => void) => {
  const [busy, setBusy] = useState<'save' | 'remove'>();
  const work = async (kind: 'save' | 'remove', send: () => Promise<string>): Promise<void> => {
    if (busy !== undefined) return;
    setBusy(kind);
    try {
      toast('success', await send());
      onClose();
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  return { busy, work };
};

/** What is typed in the editor of a model's price, and what saves it. */
export const usePriceForm = (model: PricedModel, onClose: () => void) => {
  const client = useQueryClient();
  const [typed, setTyped] = useState<Typed>(() => ({
    scope: everywhere,
    from: '',
    draft: firstDraft(model, everywhere),
  }));
  const [problems, setProblems] = useState(noProblems);
  const { busy, work } = useWork(onClose);
  const { scope, from, draft } = typed;

  const save = (): void => {
    const { card, problems: found } = readDraft(draft);
    const start = from.trim() === '' ? 0 : parseTime(from, Date.now());
    const wrong = new Set([...found, ...(start === undefined ? ['from'] : [])]);
    setProblems(wrong);
    if (wrong.size > 0 || start === undefined) return focusFirstInvalid();
    void work('save', async () => {
      const stored = await storePrice(client, { model: model.model, ...scope, from: start, card });
      if (stored.overruled.length > 0) toast('warning', m.price_overruled({ model: model.model }));
      return stored.removed_ratios.length > 0
        ? m.price_saved_ratios({ ratios: stored.removed_ratios.join(', ') })
        : m.price_saved({ model: model.model });
    });
  };
  const useList = (): void =>
    void work('remove', async () => {
      await removePrice(client, { model: model.model, ...scope });
      return m.price_removed({ model: model.model });
    });
  const removeOne = async (price: Scope & { readonly from: number }): Promise<void> => {
    try {
      await removePrice(client, { model: model.model, group: price.group, channel: price.channel, from: price.from });
    } catch (error) {
      toastFailure(error);
    }
  };
  return {
    ...typed,
    problems,
    busy,
    hasOwn: model.own.some(isScope(scope)),
    card: (): PriceCard => readDraft(draft).card,
    setDraft: (changes: Partial<PriceDraft>) => setTyped({ ...typed, draft: { ...draft, ...changes } }),
    setFrom: (text: string) => setTyped({ ...typed, from: text }),
    setScope: (next: Scope) => setTyped({ ...typed, scope: next, draft: firstDraft(model, next) }),
    save,
    useList,
    removeOne: (price: Scope & { readonly from: number }) => void removeOne(price),
  };
};
export type PriceFormState = ReturnType<typeof usePriceForm>;
