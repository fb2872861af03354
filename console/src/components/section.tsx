import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A titled part of the page. */
export const Section = ({ title, children }: SectionProps) => (
  <section aria-label={title} className="min-w-0 overflow-hidden rounded-card border border-line bg-panel">
    <h2 className="border-b border-line px-4 py-2.5 text-14 font-semibold">{title}</h2>
    {children}
  </section>
);

/** Empty state of a section. */
export const Nothing = ({ text }: { readonly text: string }) => <p className="px-4 py-6 text-13 text-mute">{text}</p>;
