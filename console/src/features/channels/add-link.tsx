import { buttonClass } from '../../components/button.tsx';
import type { ButtonLook } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';

export const AddLink = ({ look }: { readonly look: ButtonLook }) => {
  const t = useT();
  return (
    <a className={buttonClass(look)} href="/channel/add" aria-keyshortcuts="n">
      <Icon name="plus" />
      {t(m.channel_create)}
    </a>
  );
};
