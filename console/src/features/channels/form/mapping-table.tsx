import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Input } from '../../../components/form/input.tsx';
import { onEnter } from '../../../lib/hooks/on-enter.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { mappingText } from './mapping.ts';
import type { Redirect } from './mapping.ts';

interface MappingTableProps {
  readonly redirects: readonly Redirect[];
  readonly onChange: (text: string) => void;
}

const blank: Redirect = ['', ''];

/** Redirects as rows of two names. Rows under edit are held here: a row without a name is not in the text. */
export const MappingTable = ({ redirects, onChange }: MappingTableProps) => {
  const t = useT();
  const [rows, setRows] = useState(redirects.length === 0 ? [blank] : redirects);
  const set = (next: readonly Redirect[]): void => {
    setRows(next);
    onChange(mappingText(next));
  };
  const add = (): void => setRows([...rows, blank]);
  return (
    <div className="flex flex-col gap-2">
      <table className="w-full">
        <caption className="sr-only">{t(m.channel_mapping)}</caption>
        <thead className="text-left text-12 text-mute">
          <tr>
            <th scope="col" className="pb-1 font-medium">
              {t(m.channel_mapping_from)}
            </th>
            <th scope="col" className="pb-1 pl-2 font-medium">
              {t(m.channel_mapping_to)}
            </th>
            <th scope="col" className="w-10">
              <span className="sr-only">{t(m.actions)}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((redirect, index) => (
            <Row
              key={index}
              row={index + 1}
              redirect={redirect}
              onWrite={(next) => set(rows.with(index, next))}
              onRemove={() => set(rows.toSpliced(index, 1))}
              onEnter={add}
            />
          ))}
        </tbody>
      </table>
      <span>
        <Button icon="plus" size="h-7 px-2.5 text-13 pointer-coarse:h-10" onClick={add}>
          {t(m.channel_mapping_add)}
        </Button>
      </span>
    </div>
  );
};

interface RowProps {
  /** From 1. */
  readonly row: number;
  readonly redirect: Redirect;
  readonly onWrite: (redirect: Redirect) => void;
  readonly onRemove: () => void;
  readonly onEnter: () => void;
}

const Row = ({ row, redirect: [from, to], onWrite, onRemove, onEnter: next }: RowProps) => {
  const t = useT();
  const look = { autoComplete: 'off', spellCheck: false, className: 'font-mono text-13' } as const;
  return (
    <tr>
      <td className="py-0.5">
        <Input
          {...look}
          aria-label={t(m.channel_mapping_from_row, { row })}
          value={from}
          onChange={(event) => onWrite([event.target.value, to])}
        />
      </td>
      <td className="py-0.5 pl-2">
        <Input
          {...look}
          aria-label={t(m.channel_mapping_to_row, { row })}
          value={to}
          onChange={(event) => onWrite([from, event.target.value])}
          onKeyDown={onEnter(next)}
        />
      </td>
      <td className="text-right">
        <IconButton icon="trash" label={t(m.remove_named, { name: from || String(row) })} onClick={onRemove} />
      </td>
    </tr>
  );
};
