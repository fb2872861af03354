import { toast } from '../../lib/toasts.ts';
import { whenIdle } from '../../lib/browser/when-idle.ts';
import { m } from '../../paraglide/messages.js';
import type { IconName } from '../icon.tsx';

/** One line of a menu. */
export type MenuEntry =
  | {
      readonly kind: 'action';
      readonly text: string;
      readonly icon?: IconName;
      readonly danger?: boolean;
      readonly disabled?: boolean;
      /** It changes something on the server: without a network it cannot be chosen, and says why. */
      readonly sends?: boolean;
      readonly keys?: string;
      readonly run: () => void;
    }
  | {
      readonly kind: 'link';
      readonly text: string;
      readonly icon?: IconName;
      readonly href: string;
      readonly newTab?: boolean;
    }
  | {
      readonly kind: 'check';
      readonly text: string;
      readonly checked: boolean;
      readonly flip: (checked: boolean) => void;
    }
  | {
      readonly kind: 'choice';
      readonly text: string;
      readonly icon?: IconName;
      readonly chosen: boolean;
      readonly run: () => void;
    }
  | { readonly kind: 'sub'; readonly text: string; readonly icon?: IconName; readonly entries: readonly MenuEntry[] }
  | { readonly kind: 'group'; readonly text: string; readonly entries: readonly MenuEntry[] }
  | { readonly kind: 'line' };

export interface MenuRequest {
  /** What the menu is for, read to screen readers. */
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Pointer position of a context menu; absent: below the anchor. */
  readonly at?: { readonly x: number; readonly y: number };
}

/** A menu whose lines may arrive after it is opened. */
export interface MenuOffer extends Omit<MenuRequest, 'entries'> {
  readonly entries: MenuRequest['entries'] | Promise<MenuRequest['entries']>;
}

export interface Confirmation {
  readonly title: string;
  /** The consequence, in one sentence. */
  readonly text: string;
  /** The verb on the button: "Delete key". */
  readonly verb: string;
  /** Going ahead takes something away on the server. */
  readonly danger?: boolean;
  /** Names of what is affected, when it is more than one thing. */
  readonly list?: readonly string[];
  /** A word to type before going ahead, where a click is too quick. */
  readonly typed?: TypedWord;
}

export interface TypedWord {
  readonly word: string;
  readonly label: string;
  /** Said where something else was typed. */
  readonly mismatch: string;
}

export interface Question {
  readonly title: string;
  /** Label of the text field. */
  readonly label: string;
  readonly verb: string;
}

// Menus and dialogs are a third of the kit's bytes, and no page shows one before a click.
const fetched = () => import('./overlay-host.tsx');

/** Undefined where they cannot be fetched, which is said. */
const host = () =>
  fetched().catch(() => {
    toast('error', m.part_missing());
    return undefined;
  });

let warming = false;

/** Fetches the overlays ahead of the click that will open one: on pointer enter and focus, but not in the way of either. */
export const warmOverlays = (): void => {
  if (warming) return;
  warming = true;
  whenIdle(() => {
    fetched().catch(() => {
      warming = false;
    });
  });
};

export const openMenu = async (anchor: HTMLElement, offer: MenuOffer): Promise<void> =>
  (await host())?.openMenu(anchor, { ...offer, entries: await offer.entries });

/** Asks once; resolves to whether the person went ahead. */
export const confirm = async (confirmation: Confirmation): Promise<boolean> =>
  (await (await host())?.confirm(confirmation)) ?? false;

/** Asks for a short text; undefined when the person turned away. */
export const ask = async (question: Question): Promise<string | undefined> => (await host())?.ask(question);

/** What a button that opens a menu carries. */
export const menuTrigger = (request: () => MenuOffer | Promise<MenuOffer>) =>
  ({
    'aria-haspopup': 'menu',
    onPointerEnter: warmOverlays,
    onFocus: warmOverlays,
    onClick: (event: React.MouseEvent<HTMLElement>) => {
      event.stopPropagation();
      const anchor = event.currentTarget;
      void Promise.resolve(request()).then((ready) => openMenu(anchor, ready));
    },
  }) as const;
