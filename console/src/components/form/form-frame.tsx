import { useContext } from 'react';
import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Crumbs } from '../crumbs.tsx';
import { IconButton } from '../icon-button.tsx';
import { SheetFrame } from '../overlay/sheet-frame.ts';

interface FormFrameProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons; the last one submits. */
  readonly footer: ReactNode;
  /** Content beside a page's form: a summary of what it will do. */
  readonly aside?: ReactNode;
  readonly onSubmit?: () => void;
}

/** A form in the sheet it was opened in, or as a page; Ctrl or ⌘ with Enter submits from any field. */
export const FormFrame = ({ title, children, footer, aside, onSubmit }: FormFrameProps) => {
  const t = useT();
  const sheet = useContext(SheetFrame);
  useTitle(title);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit?.();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  const width = aside ? 'max-w-[904px]' : 'max-w-160';
  const look = sheet ? inSheet : onPage;
  const Title = sheet?.Title ?? 'h1';
  return (
    <form noValidate onSubmit={submit} onKeyDown={onKeyDown} className={`${look.form} ${width}`}>
      {!sheet && <Crumbs title={title} />}
      <div className={`flex items-center justify-between ${look.head}`}>
        <Title className={`font-semibold ${look.title}`}>{title}</Title>
        {sheet && <IconButton icon="close" label={t(m.close)} onClick={sheet.close} />}
      </div>
      <div className={aside ? 'grid grid-cols-[1fr_240px] items-start gap-6 max-md:grid-cols-1' : 'contents'}>
        <div className={`flex min-w-0 flex-col gap-5 ${look.body}`}>{children}</div>
        {aside && <aside className="md:sticky md:top-19">{aside}</aside>}
      </div>
      <div className={`flex flex-wrap justify-end gap-2 ${look.foot} ${aside ? 'md:pr-66' : ''}`}>{footer}</div>
    </form>
  );
};

const inSheet = {
  form: 'flex min-h-0 flex-1 flex-col',
  head: 'border-b border-line py-3 pr-3 pl-5',
  title: 'text-16',
  body: 'flex-1 overflow-y-auto p-5',
  foot: 'border-t border-line px-5 py-3',
};
const onPage = {
  form: 'mx-auto flex w-full flex-col',
  head: 'pb-4',
  title: 'text-20',
  body: 'rounded-card border border-line bg-panel p-5',
  foot: 'sticky bottom-0 z-10 bg-bg py-4',
};
