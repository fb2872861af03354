import { dropView, readViews, saveView } from '../../lib/lists/saved-views.ts';
import { toast } from '../../lib/toasts.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { IconButton } from '../icon-button.tsx';
import { ask, menuTrigger } from '../overlay/overlays.ts';
import type { MenuEntry } from '../overlay/overlays.ts';

const save = async (list: string, search: string): Promise<void> => {
  const name = await ask({ title: m.views_save(), label: m.views_name(), verb: m.save() });
  if (name === undefined) return;
  saveView(list, { name, search });
  toast('success', m.operation_done());
};

/** Saved views of a list: its address query under a name, stored in this browser. */
export const ViewsButton = ({ list }: { readonly list: string }) => {
  const t = useT();
  const entries = (): MenuEntry[] => {
    const views = readViews(list);
    const links = views.map(({ name, search }): MenuEntry => ({
      kind: 'link',
      icon: 'star',
      text: name,
      href: location.pathname + search,
    }));
    const updates = views.map(({ name }): MenuEntry => ({
      kind: 'action',
      text: name,
      run: () => saveView(list, { name, search: location.search }),
    }));
    const drops = views.map(({ name }): MenuEntry => ({ kind: 'action', text: name, run: () => dropView(list, name) }));
    return [
      ...links,
      ...(views.length > 0 ? [{ kind: 'line' } as const] : []),
      { kind: 'action', icon: 'plus', text: t(m.views_save), run: () => void save(list, location.search) },
      ...(views.length > 0
        ? ([
            { kind: 'sub', icon: 'refresh', text: t(m.views_update), entries: updates },
            { kind: 'sub', icon: 'trash', text: t(m.views_delete), entries: drops },
          ] as const)
        : []),
    ];
  };
  return (
    <IconButton icon="star" label={t(m.views)} {...menuTrigger(() => ({ label: t(m.views), entries: entries() }))} />
  );
};
