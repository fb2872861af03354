import { buttonClass } from '../button.tsx';
import type { ButtonLook } from '../button.tsx';
import { Icon } from '../icon.tsx';

interface AddLinkProps {
  readonly href: string;
  readonly text: string;
  readonly look: ButtonLook;
}

/** The way to the form that adds to a list. */
export const AddLink = ({ href, text, look }: AddLinkProps) => (
  <a className={buttonClass(look)} href={href} aria-keyshortcuts="n">
    <Icon name="plus" />
    {text}
  </a>
);
