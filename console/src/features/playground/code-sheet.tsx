import { useContext } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { SheetFrame } from '../../components/sheet-frame.ts';
import { trimSlash } from '../../lib/format.ts';
import { useStatus } from '../../lib/status.ts';
import { useT } from '../../lib/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { ChatBody } from './ask-model.ts';
import type { Answer } from './conversation.ts';

interface CodeSheetProps {
  readonly body: ChatBody;
  readonly answer: Answer;
  readonly onClose: () => void;
}

/** A quote within single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request behind an answer: as JSON, and as a command with the key left out. */
export const CodeSheet = ({ body, answer, onClose }: CodeSheetProps) => {
  const t = useT();
  const { server_address: address } = useStatus();
  const json = JSON.stringify(body, undefined, 2);
  const curl = [
    `curl ${trimSlash(address ?? '') || location.origin}/v1/chat/completions \\`,
    '  -H "Authorization: Bearer sk-…" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n');
  return (
    <Sheet onClose={onClose}>
      <Head />
      <div className="flex flex-1 flex-col gap-4 overflow-y-auto p-5">
        <CodeBlock title={t(m.play_request)} code={json} />
        <CodeBlock title="curl" code={curl} />
        <CodeBlock title={t(m.play_answer)} code={answer.text || answer.problem} />
      </div>
    </Sheet>
  );
};

const Head = () => {
  const t = useT();
  const frame = useContext(SheetFrame);
  const Title = frame?.Title ?? 'h2';
  return (
    <div className="flex items-center border-b border-line py-3 pr-3 pl-5">
      <Title className="flex-1 text-16 font-semibold">{t(m.play_request)}</Title>
      <IconButton icon="close" label={t(m.close)} onClick={frame?.close} />
    </div>
  );
};
