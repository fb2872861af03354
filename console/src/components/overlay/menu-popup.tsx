import { Menu } from '@base-ui/react/menu';
import { useEffect, useState } from 'react';
import { useRefusal } from '../../lib/hooks/use-refusal.ts';
import { Icon } from '../icon.tsx';
import type { MenuEntry, MenuRequest } from './overlays.ts';
import { portalContainer } from './portal-container.ts';

const itemClass =
  'flex min-h-8 w-full cursor-default items-center gap-2 rounded-control px-2 text-left outline-none select-none data-disabled:opacity-55 data-highlighted:bg-raised pointer-coarse:min-h-11';

const CheckEntry = ({ entry }: { readonly entry: Extract<MenuEntry, { kind: 'check' }> }) => {
  const [checked, setChecked] = useState(entry.checked);
  const flip = (next: boolean): void => {
    setChecked(next);
    entry.flip(next);
  };
  return (
    <Menu.CheckboxItem className={itemClass} checked={checked} onCheckedChange={flip} closeOnClick={false}>
      <span className="flex size-4 items-center">{checked && <Icon name="check" />}</span>
      {entry.text}
    </Menu.CheckboxItem>
  );
};

const ActionEntry = ({ entry }: { readonly entry: Extract<MenuEntry, { kind: 'action' }> }) => {
  const refusal = useRefusal(entry.sends ?? false);
  return (
    <Menu.Item
      className={`${itemClass} ${entry.danger ? 'text-bad' : ''}`}
      disabled={(entry.disabled ?? false) || refusal !== undefined}
      onClick={entry.run}
    >
      {entry.icon && <Icon name={entry.icon} className={`size-4 ${entry.danger ? '' : 'text-mute'}`} />}
      <span className="flex-1">
        {entry.text}
        {refusal && <span className="block text-12">{refusal}</span>}
      </span>
      {entry.keys && <kbd className="text-12 text-mute">{entry.keys}</kbd>}
    </Menu.Item>
  );
};

const popupClass =
  'max-h-(--available-height) max-w-80 min-w-44 animate-rise overflow-y-auto rounded-card bg-panel p-1 shadow-float outline-none';

const SubEntry = ({ entry }: { readonly entry: Extract<MenuEntry, { kind: 'sub' }> }) => (
  <Menu.SubmenuRoot>
    <Menu.SubmenuTrigger className={`${itemClass} data-popup-open:bg-raised`}>
      {entry.icon && <Icon name={entry.icon} className="size-4 text-mute" />}
      <span className="flex-1">{entry.text}</span>
      <Icon name="right" className="size-3.5 text-mute" />
    </Menu.SubmenuTrigger>
    <Menu.Portal container={portalContainer()}>
      <Menu.Positioner sideOffset={4} alignOffset={-4} collisionPadding={8} className="z-65 outline-none">
        <Menu.Popup className={popupClass}>
          <Entries entries={entry.entries} />
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.SubmenuRoot>
);

const Entry = ({ entry }: { readonly entry: MenuEntry }) => {
  switch (entry.kind) {
    case 'action':
      return <ActionEntry entry={entry} />;
    case 'link':
      return (
        <Menu.LinkItem
          className={itemClass}
          href={entry.href}
          closeOnClick
          {...(entry.newTab ? { target: '_blank', rel: 'noopener' } : {})}
        >
          {entry.icon && <Icon name={entry.icon} className="size-4 text-mute" />}
          {entry.text}
        </Menu.LinkItem>
      );
    case 'check':
      return <CheckEntry entry={entry} />;
    case 'choice':
      return (
        <Menu.Item className={itemClass} onClick={entry.run} aria-current={entry.chosen || undefined}>
          {entry.icon && <Icon name={entry.icon} className="size-4 text-mute" />}
          <span className="flex-1">{entry.text}</span>
          {entry.chosen && <Icon name="check" className="size-4 text-brand" />}
        </Menu.Item>
      );
    case 'group':
      return (
        <Menu.Group>
          <Menu.GroupLabel className="px-2 pt-1.5 pb-1 text-12 text-mute">{entry.text}</Menu.GroupLabel>
          <Entries entries={entry.entries} />
        </Menu.Group>
      );
    case 'sub':
      return <SubEntry entry={entry} />;
    case 'line':
      return <Menu.Separator className="my-1 h-px bg-line" />;
  }
};

// The entries of one menu never move, so the index is a stable key.
const Entries = ({ entries }: { readonly entries: readonly MenuEntry[] }) =>
  entries.map((entry, index) => <Entry key={index} entry={entry} />);

interface MenuPopupProps {
  readonly anchor: HTMLElement;
  readonly request: MenuRequest;
  readonly onClosed: () => void;
}

const pointAt = ({ x, y }: { readonly x: number; readonly y: number }) => ({
  getBoundingClientRect: () => new DOMRect(x, y, 0, 0),
});

export const MenuPopup = ({ anchor, request, onClosed }: MenuPopupProps) => {
  const [open, setOpen] = useState(true);
  useEffect(() => {
    anchor.setAttribute('aria-expanded', String(open));
    return () => anchor.removeAttribute('aria-expanded');
  }, [anchor, open]);
  return (
    <Menu.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(shown) => !shown && onClosed()}>
      <Menu.Portal container={portalContainer()}>
        <Menu.Positioner
          anchor={request.at ? pointAt(request.at) : anchor}
          align={request.at ? 'start' : 'end'}
          sideOffset={4}
          collisionPadding={8}
          className="z-65 outline-none"
        >
          <Menu.Popup aria-label={request.label} finalFocus={() => anchor} className={popupClass}>
            <Entries entries={request.entries} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
};
