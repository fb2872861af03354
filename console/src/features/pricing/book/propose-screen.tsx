import { useQuery, useQueryClient } from '@tanstack/react-query';
import { bookBytesMax } from '@weir/contract/prices/book-updates';
import type { BookSource } from '@weir/contract/prices/book-updates';
import { useState } from 'react';
import { Failure } from '../../../components/failure.tsx';
import { Field } from '../../../components/form/field.tsx';
import { FormButtons } from '../../../components/form/form-buttons.tsx';
import { FormFrame } from '../../../components/form/form-frame.tsx';
import { Input } from '../../../components/form/input.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ViewTabs } from '../../../components/view-tabs.tsx';
import { failureText } from '../../../lib/api/failure-text.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { navigate } from '../../../lib/router/navigate.ts';
import { m } from '../../../paraglide/messages.js';
import { Editions } from './editions.tsx';
import { bookQuery, propose } from './queries.ts';

type Way = BookSource['kind'];

/** What is sent, or why nothing can be. */
const readSource = async (
  way: Way,
  { file, url }: { readonly file: File | undefined; readonly url: string },
): Promise<BookSource | 'missing' | 'large'> => {
  if (way === 'shipped') return { kind: way };
  if (way === 'url') return { kind: way, url: url.trim() };
  if (file === undefined) return 'missing';
  if (file.size > bookBytesMax) return 'large';
  return { kind: way, name: [...file.name].slice(0, 200).join(''), content: await file.text() };
};

/** Proposes a book, one request at a time, and says why it could not. */
const useSending = () => {
  const t = useT();
  const client = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async (way: Way, typed: { readonly file: File | undefined; readonly url: string }): Promise<void> => {
    if (busy) return;
    const source = await readSource(way, typed);
    if (source === 'missing') return setProblem(t(m.book_file_missing));
    if (source === 'large') return setProblem(t(m.book_file_large));
    setBusy(true);
    setProblem(undefined);
    try {
      await propose(client, source);
      await navigate('/pricing/book');
    } catch (failure) {
      setProblem(failureText(failure));
    } finally {
      setBusy(false);
    }
  };
  return { problem, setProblem, busy, send };
};

/** `/pricing/book/propose`: which price book is compared with the one in force. Nothing changes before it is approved. */
export const ProposeScreen = () => {
  const t = useT();
  const { data, error, refetch } = useQuery(bookQuery);
  const [way, setWay] = useState<Way>('shipped');
  const [file, setFile] = useState<File>();
  const [url, setUrl] = useState<string>();
  const { problem, setProblem, busy, send } = useSending();
  const typed = url ?? data?.url ?? '';
  const pick = (next: Way): void => {
    setWay(next);
    setProblem(undefined);
  };
  const pickFile = (picked: File | undefined): void => {
    setFile(picked);
    setProblem(undefined);
  };
  const type = (text: string): void => {
    setUrl(text);
    setProblem(undefined);
  };
  return (
    <FormFrame
      title={t(m.book_propose)}
      onSubmit={() => void send(way, { file, url: typed })}
      footer={<FormButtons cancelPath="/pricing/book" verb={t(m.book_compare)} busy={busy} />}
    >
      <p className="text-13 text-mute">{t(m.book_propose_text)}</p>
      {data?.proposal && <Notice tone="info">{t(m.book_replaces, { name: data.proposal.name })}</Notice>}
      <ViewTabs
        label={t(m.book_way)}
        current={way}
        views={[
          ['shipped', t(m.book_way_shipped)],
          ['file', t(m.book_way_file)],
          ['url', t(m.book_way_url)],
        ]}
        onPick={pick}
      />
      {way === 'shipped' && data && (
        <p>{t(data.shipped.is_new ? m.book_shipped_new : m.book_shipped_known, { name: data.shipped.name })}</p>
      )}
      {way === 'shipped' && problem && <Notice tone="bad">{problem}</Notice>}
      {way === 'file' && <FileField problem={problem} onPick={pickFile} />}
      {way === 'url' && <AddressField problem={problem} value={typed} onType={type} />}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && <Editions editions={data.editions} />}
    </FormFrame>
  );
};

interface FileFieldProps {
  readonly problem: string | undefined;
  readonly onPick: (file: File | undefined) => void;
}

const FileField = ({ problem, onPick }: FileFieldProps) => {
  const t = useT();
  return (
    <Field label={t(m.book_file)} hint={t(m.book_file_hint)} error={problem}>
      {(control) => (
        <input
          {...control}
          type="file"
          accept=".json,application/json"
          className="min-w-0 text-13 file:mr-3 file:h-8 file:rounded-control file:border file:border-control/60 file:bg-panel file:px-3 file:text-ink pointer-coarse:file:h-11"
          onChange={({ target }) => onPick(target.files?.[0])}
        />
      )}
    </Field>
  );
};

interface AddressFieldProps {
  readonly problem: string | undefined;
  readonly value: string;
  readonly onType: (text: string) => void;
}

const AddressField = ({ problem, value, onType }: AddressFieldProps) => {
  const t = useT();
  return (
    <Field label={t(m.book_url)} hint={t(m.book_url_hint)} error={problem}>
      {(control) => (
        <Input
          {...control}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          value={value}
          onChange={({ target }) => onType(target.value)}
        />
      )}
    </Field>
  );
};
