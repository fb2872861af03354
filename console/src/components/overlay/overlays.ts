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
      /** Changes data on the server: disabled offline, with the reason as tooltip. */
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
  /** Accessible name of the menu. */
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Pointer position of a context menu; absent: below the anchor. */
  readonly at?: { readonly x: number; readonly y: number };
}

/** A menu whose entries can load after it opened. */
export interface MenuOffer extends Omit<MenuRequest, 'entries'> {
  readonly entries: MenuRequest['entries'] | Promise<MenuRequest['entries']>;
}

export interface Confirmation {
  readonly title: string;
  /** The consequence, in one sentence. */
  readonly text: string;
  /** The verb on the button: "Delete key". */
  readonly verb: string;
  /** The action removes data on the server. */
  readonly danger?: boolean;
  /** Names of the affected items, if several. */
  readonly list?: readonly string[];
  /** A word to type as confirmation, if a click is not enough. */
  readonly typed?: TypedWord;
}

export interface TypedWord {
  readonly word: string;
  readonly label: string;
  /** Error text if the typed word is different. */
  readonly mismatch: string;
}

export interface Question {
  readonly title: string;
  /** Label of the text field. */
  readonly label: string;
  readonly verb: string;
}

// Menus and dialogs are a third of the UI library's size, and no page shows one before a click.
const fetched = () => import('./overlay-host.tsx');

/** Undefined if they failed to load; a toast shows the failure. */
const host = () =>
  fetched().catch(() => {
    toast('error', m.part_missing());
    return undefined;
  });

let warming = false;

/** Preloads the overlays before the click that opens one: on pointer enter and focus, without delaying either. */
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

/** Shows a confirmation dialog; resolves to whether it was confirmed. */
export const confirm = async (confirmation: Confirmation): Promise<boolean> =>
  (await (await host())?.confirm(confirmation)) ?? false;

/** Shows a dialog for a short text; undefined if it was cancelled. */
export const ask = async (question: Question): Promise<string | undefined> => (await host())?.ask(question);

/** Attributes of a button that opens a menu. */
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
