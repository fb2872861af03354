import { Button, buttonClass } from '../../components/button.tsx';
import { CodeBlock } from '../../components/text/code-block.tsx';
import { DoneMark } from '../../components/done-mark.tsx';
import { FormFrame } from '../../components/form/form-frame.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { downloadText } from '../../lib/format/csv.ts';

/** Saves codes as a plain UTF-8 text, named after the codes, one per line (specification §5). */
export const saveCodes = (name: string, codes: readonly string[]): void =>
  downloadText(`${name}.txt`, codes.map((code) => `${code}\n`).join(''), 'text/plain');

interface CodesReadyProps {
  readonly name: string;
  readonly codes: readonly string[];
}

/** After creation: the codes to copy or to save once more. */
export const CodesReady = ({ name, codes }: CodesReadyProps) => {
  const t = useT();
  return (
    <FormFrame
      title={name}
      footer={
        <>
          <Button icon="download" onClick={() => saveCodes(name, codes)}>
            {t(m.redemption_download)}
          </Button>
          <a className={buttonClass('primary')} href="/redemption">
            {t(m.done)}
          </a>
        </>
      }
    >
      <DoneMark title={t(m.redemption_ready, { count: codes.length })} text={t(m.redemption_ready_text)} />
      <CodeBlock title={t(m.redemption_codes)} code={codes.join('\n')} />
    </FormFrame>
  );
};
