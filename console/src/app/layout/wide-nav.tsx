import { useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { menuTrigger } from '../../components/overlay/overlays.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { useShownPath } from '../../lib/router/navigate.ts';
import { m } from '../../paraglide/messages.js';
import type { NavEntry } from './navigation.ts';

/** The own profile is below the users only by its address. */
const profile = '/user/edit';

const isUnder = (pathname: string, path: string): boolean =>
  pathname === path || (path !== '/' && pathname !== profile && pathname.startsWith(`${path}/`));

/** Number of the first children that fit on the first line; the others wrap to lines that are cut off. */
const onFirstLine = (list: HTMLElement): number => {
  const tops = [...list.children].map((child) => child.getBoundingClientRect().top);
  const wrapped = tops.findIndex((top) => top > (tops[0] ?? 0));
  return wrapped < 0 ? tops.length : wrapped;
};

const linkClass =
  'relative flex h-13 items-center gap-1.5 px-2.5 whitespace-nowrap text-mute outline-offset-[-4px] hover:text-ink aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2.5 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-brand';

/** The entries of the bar; entries that do not fit move to a menu at its end. */
export const WideNav = ({ entries }: { readonly entries: readonly NavEntry[] }) => {
  const t = useT();
  const pathname = useShownPath();
  const nav = useRef<HTMLElement>(null);
  const barred = entries.filter(({ folded: always }) => !always);
  const [fitting, setFitting] = useState(barred.length);
  // Measured before the first paint, and again when the labels or the entries change.
  useLayoutEffect(() => {
    const list = nav.current;
    if (list === null) return undefined;
    const measure = (): void => setFitting(onFirstLine(list));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, [t, barred.length]);
  const folded = [...barred.slice(fitting), ...entries.filter(({ folded: always }) => always)];
  return (
    <>
      <nav ref={nav} aria-label={t(m.navigation)} className="flex h-full min-w-0 flex-1 flex-wrap overflow-hidden">
        {barred.map(({ path, title, icon }, index) => (
          <a
            key={path}
            href={path}
            aria-current={isUnder(pathname, path) ? 'page' : undefined}
            className={`${linkClass} ${index < fitting ? '' : 'invisible'}`}
          >
            <Icon name={icon} className="size-4 max-xl:hidden" />
            {t(title)}
          </a>
        ))}
      </nav>
      {folded.length > 0 && (
        <button
          type="button"
          aria-current={folded.some(({ path }) => isUnder(pathname, path)) ? 'page' : undefined}
          className={linkClass}
          {...menuTrigger(() => ({
            label: t(m.more),
            entries: folded.map(({ path, title, icon }) => ({ kind: 'link', icon, text: t(title), href: path })),
          }))}
        >
          {t(m.more)}
          <Icon name="down" className="size-3.5" />
        </button>
      )}
    </>
  );
};
