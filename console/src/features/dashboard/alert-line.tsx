import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toastFailure } from '../../lib/toasts.ts';

export const smallAction = 'h-7 px-2 pointer-coarse:h-11';

/** The text of an alert, which leads to its page. */
export const What = ({ href, text }: { readonly href: string; readonly text: string }) => (
  <a href={href} className="min-w-0 flex-1 wrap-anywhere underline-offset-2 hover:underline">
    {text}
  </a>
);

/** Runs one action at a time, and shows the error if it fails. */
export const useAction = () => {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    await work().catch(toastFailure);
    setBusy(false);
  };
  return { busy, run: (work: () => Promise<void>) => void run(work) };
};

/** Reloads the lists of channels and tokens; the alert keeps its line until the next visit. */
export const forget = (client: QueryClient, key: 'channels' | 'tokens'): void =>
  void client.invalidateQueries({ queryKey: [key] });
