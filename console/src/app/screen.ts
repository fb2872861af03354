import type { Access } from '@weir/contract/endpoint';
import type { IconName } from '../components/icon.tsx';
import type { Message } from '../lib/hooks/use-t.ts';
import type { ScreenComponent } from '../lib/router/screen-component.ts';

export type LoadScreen = () => Promise<ScreenComponent>;

/** An entry of the navigation and of the palette. */
export interface NavItem {
  readonly title: Message;
  readonly icon: IconName;
  /** Visitors without a session see it too; following it opens the sign-in. */
  readonly forVisitors?: true;
  /** Always in the menu at the end of the bar, at any width. */
  readonly folded?: true;
  /** The key that opens the screen after `g`. */
  readonly key?: string;
}

/** Requests that the head script sends before any module has arrived: `/api/…` addresses separated by a space. */
interface EarlyRequests {
  readonly user: string;
  /** The requests for administrators, if different. */
  readonly admin?: string;
}

export interface Screen {
  /** `:id` and `:token` match whole numbers. */
  readonly path: string;
  readonly access: Access;
  /** Not part of the specification: absent on servers without the capabilities it needs. */
  readonly optional?: true;
  /** Path of the list that the screen opens over as a sheet. */
  readonly over?: string;
  /** Reads the search parameters; others are removed from the address. Absent: the screen has none. */
  readonly search?: (raw: Record<string, unknown>) => Record<string, unknown>;
  readonly nav?: NavItem;
  readonly early?: EarlyRequests;
  /** Loads its code. `build/routes.ts` parses the import in this function. */
  readonly load: LoadScreen;
  /** Code that only phones show immediately. */
  readonly loadOnPhone?: LoadScreen;
}
