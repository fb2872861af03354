import type { ReactNode } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Footer } from './footer.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { TopBar } from './top-bar.tsx';

/** The frame of every screen of the app. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const t = useT();
  return (
    <>
      <a
        href="#main"
        className="sr-only z-60 rounded-control bg-brand px-3 py-2 text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t(m.skip)}
      </a>
      <TopBar />
      <OfflineBar />
      <main
        id="main"
        tabIndex={-1}
        // On a phone it fills the window from the start, so that the footer does not move under an empty page.
        className="mx-auto flex w-full max-w-[1600px] flex-1 flex-col px-6 pt-6 pb-4 outline-none max-md:min-h-[calc(100dvh-3.25rem)] max-md:px-4"
      >
        {children}
      </main>
      <Footer />
    </>
  );
};
