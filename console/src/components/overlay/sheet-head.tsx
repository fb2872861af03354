import { useContext } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { IconButton } from '../icon-button.tsx';
import { SheetFrame } from './sheet-frame.ts';

/** The header of a sheet: title and close button. */
export const SheetHead = ({ title }: { readonly title: string }) => {
  const t = useT();
  const frame = useContext(SheetFrame);
  const Title = frame?.Title ?? 'h2';
  return (
    <div className="flex items-center border-b border-line py-3 pr-3 pl-5">
      <Title className="flex-1 text-16 font-semibold">{title}</Title>
      <IconButton icon="close" label={t(m.close)} onClick={frame?.close} />
    </div>
  );
};
