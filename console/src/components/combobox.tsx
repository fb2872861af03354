import { Combobox as Base } from '@base-ui/react/combobox';
import { useMemo } from 'react';
import { useT } from '../lib/use-t.ts';
import { m } from '../paraglide/messages.js';
import type { ControlProps } from './field.tsx';
import { Icon } from './icon.tsx';
import { usePortalPlace } from './portal-place.ts';
import { controlClass } from './input.tsx';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface ChoiceGroup {
  /** Heading. */
  readonly value: string;
  readonly items: readonly Choice[];
}

interface ComboboxProps extends ControlProps {
  /** The same array as long as the choices are the same. */
  readonly groups: readonly ChoiceGroup[];
  readonly value: Choice;
  readonly onPick: (choice: Choice) => void;
}

export const popupClass =
  'max-h-[min(var(--available-height),22rem)] w-(--anchor-width) overflow-y-auto rounded-card bg-panel p-1 shadow-float outline-none';
export const optionClass =
  'flex min-h-8 cursor-default items-center gap-2 rounded-control px-2 outline-none select-none data-highlighted:bg-raised pointer-coarse:min-h-11';

/** One choice out of many, found by typing. */
export const Combobox = ({ groups, value, onPick, ...control }: ComboboxProps) => {
  const t = useT();
  const place = usePortalPlace();
  const { value: id, label } = value;
  // For every new object the primitive replaces what is being typed by the label of the choice.
  const chosen = useMemo(() => ({ value: id, label }), [id, label]);
  return (
    <Base.Root
      items={groups}
      value={chosen}
      isItemEqualToValue={(a: Choice, b: Choice) => a.value === b.value}
      onValueChange={(picked: Choice | null) => picked && onPick(picked)}
      autoHighlight
    >
      <div className="relative">
        <Base.Input {...control} className={`${controlClass} h-8 pr-9 pointer-coarse:h-11 pointer-coarse:text-16`} />
        <Base.Trigger
          aria-label={t(m.open_list)}
          className="absolute inset-y-0 right-0 inline-flex w-8 items-center justify-center rounded-control text-mute"
        >
          <Icon name="down" />
        </Base.Trigger>
      </div>
      <Base.Portal container={place}>
        <Base.Positioner sideOffset={4} className="z-50 outline-none">
          <Base.Popup className={popupClass}>
            <Base.Empty className="px-2 py-1.5 text-mute empty:hidden">{t(m.nothing_found)}</Base.Empty>
            <Base.List>
              {(group: ChoiceGroup) => (
                <Base.Group key={group.value} items={group.items}>
                  <Base.GroupLabel className="px-2 pt-2 pb-1 text-12 text-mute">{group.value}</Base.GroupLabel>
                  <Base.Collection>
                    {(item: Choice) => (
                      <Base.Item key={item.value} value={item} className={optionClass}>
                        <span className="flex-1">{item.label}</span>
                        <Base.ItemIndicator className="text-brand">
                          <Icon name="check" />
                        </Base.ItemIndicator>
                      </Base.Item>
                    )}
                  </Base.Collection>
                </Base.Group>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};
