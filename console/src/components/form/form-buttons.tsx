import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button, buttonClass } from '../button.tsx';

interface FormButtonsProps {
  /** Path that Cancel opens; the list there keeps its page, order and filters. */
  readonly cancelPath: string;
  readonly verb: string;
  readonly busy: boolean;
}

/** The footer of a form: Cancel and the submit button. */
export const FormButtons = ({ cancelPath, verb, busy }: FormButtonsProps) => {
  const t = useT();
  return (
    <>
      <a className={buttonClass('plain')} href={cancelPath + location.search}>
        {t(m.cancel)}
      </a>
      <Button type="submit" sends look="primary" busy={busy}>
        {verb}
      </Button>
    </>
  );
};
