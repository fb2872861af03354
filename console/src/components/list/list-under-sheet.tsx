import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { usePhone } from '../../lib/hooks/use-media.ts';
import { useShownPath } from '../../lib/router/navigate.ts';
import { Outlet } from '../../lib/router/outlet.tsx';

const Sheet = lazy(async () => ({ default: (await import('../overlay/route-sheet.tsx')).RouteSheet }));

interface ListUnderSheetProps {
  /** Address of the list; the addresses of its forms are below it. */
  readonly path: string;
  /** The list. */
  readonly children: ReactNode;
}

/** A list whose forms open as sheets over it, or alone if their address was opened directly or on a phone. */
export const ListUnderSheet = ({ path, children }: ListUnderSheetProps) => {
  const onList = useShownPath().replace(/\/$/, '') === path;
  const [listSeen, setListSeen] = useState(onList);
  if (onList && !listSeen) setListSeen(true);
  const phone = usePhone();
  if (!onList && (phone || !listSeen)) return <Outlet />;
  return (
    <>
      {children}
      {!onList && (
        <Suspense>
          <Sheet back={path}>
            <Outlet />
          </Sheet>
        </Suspense>
      )}
    </>
  );
};
