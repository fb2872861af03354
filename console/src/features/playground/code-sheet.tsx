import { CodeBlock } from '../../components/text/code-block.tsx';
import { Sheet } from '../../components/overlay/sheet.tsx';
import { SheetHead } from '../../components/overlay/sheet-head.tsx';
import { trimSlash } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/api/status.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { ChatBody } from './ask-model.ts';
import type { Answer } from './conversation.ts';

interface CodeSheetProps {
  readonly body: ChatBody;
  readonly answer: Answer;
  readonly onClose: () => void;
}

/** A single quote within single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request of an answer: as JSON, and as a command without the key. */
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
      <SheetHead title={t(m.play_request)} />
      <div className="flex flex-1 flex-col gap-4 overflow-y-auto p-5">
        <CodeBlock title={t(m.play_request)} code={json} />
        <CodeBlock title="curl" code={curl} />
        <CodeBlock title={t(m.play_answer)} code={answer.text || answer.problem} />
      </div>
    </Sheet>
  );
};
