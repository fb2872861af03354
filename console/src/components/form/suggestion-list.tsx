import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../icon.tsx';
import type { Suggestions } from './use-suggestions.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** Another name that typing finds it by. */
  readonly also?: string;
}

export interface ChoiceGroup {
  /** Heading. */
  readonly value: string;
  readonly items: readonly Choice[];
}

interface SuggestionListProps {
  readonly label: string;
  readonly suggestions: Suggestions;
  /** Groups with an empty heading have none. */
  readonly groups: readonly ChoiceGroup[];
  readonly isChosen: (value: string) => boolean;
  readonly multiple?: true;
  readonly onPick: (value: string) => void;
}

const heightMax = 352;

/** Below the field, or above it if more of the list fits on screen there. */
const usePlacing = () => {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = list;
    const field = current?.parentElement?.getBoundingClientRect();
    if (!current || !field) return;
    const below = innerHeight - field.bottom;
    current.dataset['above'] = String(below < Math.min(current.scrollHeight, heightMax) && field.top > below);
  }, []);
  return list;
};

/** The suggestions of a text field. Positioned within the element around the field, which is `relative`. */
export const SuggestionList = ({ label, suggestions, groups, isChosen, multiple, onPick }: SuggestionListProps) => {
  const t = useT();
  const list = usePlacing();
  const { id, activeIndex, optionId } = suggestions;
  let count = 0;
  return (
    <div
      ref={list}
      id={`${id}l`}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      aria-multiselectable={multiple}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full z-50 my-1 max-h-[22rem] overflow-y-auto rounded-card bg-panel p-1 shadow-float data-[above=true]:top-auto data-[above=true]:bottom-full"
    >
      {groups.length === 0 && (
        <div role="option" tabIndex={-1} aria-selected={false} aria-disabled className="px-2 py-1.5 text-mute">
          {t(m.nothing_found)}
        </div>
      )}
      {groups.map((group) => (
        <Group key={group.value} id={`${id}g${group.value}`} title={group.value}>
          {group.items.map((item) => {
            const index = count++;
            return (
              <Option
                key={item.value}
                id={optionId(index)}
                item={item}
                isActive={index === activeIndex}
                isChosen={isChosen(item.value)}
                onPick={onPick}
              />
            );
          })}
        </Group>
      ))}
    </div>
  );
};

interface GroupProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

const Group = ({ id, title, children }: GroupProps) =>
  title === '' ? (
    children
  ) : (
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className="px-2 pt-2 pb-1 text-12 text-mute">
        {title}
      </div>
      {children}
    </div>
  );

interface OptionProps {
  readonly id: string;
  readonly item: Choice;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onPick: (value: string) => void;
}

const Option = ({ id, item, isActive, isChosen, onPick }: OptionProps) => {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={() => onPick(item.value)}
      className={`flex min-h-8 cursor-default items-center gap-2 rounded-control px-2 select-none hover:bg-raised pointer-coarse:min-h-11 ${isActive ? 'bg-raised outline-2 -outline-offset-2 outline-brand' : ''}`}
    >
      <span className="flex-1 wrap-anywhere">{item.label}</span>
      {isChosen && <Icon name="check" className="size-4 shrink-0 text-brand" />}
    </div>
  );
};
