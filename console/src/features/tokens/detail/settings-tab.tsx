import type { Token } from '@weir/contract/tokens';
import { Button } from '../../../components/button.tsx';
import { Section } from '../../../components/section.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { TokenFields } from '../form/token-fields.tsx';
import { useEditToken } from '../form/use-edit-token.ts';

interface SettingsTabProps {
  readonly token: Token;
  /** Shows the saved values. */
  readonly onSaved: () => Promise<void>;
}

/** The form of a token as a tab of its page. */
export const SettingsTab = ({ token, onSaved }: SettingsTabProps) => {
  const t = useT();
  const { values, change, errors, busy, submit } = useEditToken(token, onSaved);
  return (
    <form
      noValidate
      className="w-full max-w-160"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Section title={t(m.token_settings_tab)}>
        <div className="flex flex-col gap-5 p-5">
          <TokenFields values={values} errors={errors} onChange={change} />
          <div>
            <Button type="submit" sends look="primary" busy={busy}>
              {t(m.save)}
            </Button>
          </div>
        </div>
      </Section>
    </form>
  );
};
