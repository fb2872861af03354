import type { ReactNode } from 'react';

/** Looks of cells: text, a figure, and a figure for which a phone has no room, but paper has. */
export const plainCell =
  'px-2 py-2 whitespace-nowrap first:pl-4 last:pr-4 max-[359px]:first:pl-3 max-[359px]:last:pr-3';
export const plainFigure = `${plainCell} w-px text-right tabular-nums`;
export const plainSpare = `${plainFigure} max-md:hidden print:table-cell`;

interface PlainTableProps {
  readonly caption: string;
  readonly heads: readonly (readonly [text: string, look: string])[];
  /** The rows. */
  readonly children: ReactNode;
}

/** A table within a section: its rows are neither sorted nor selected. */
export const PlainTable = ({ caption, heads, children }: PlainTableProps) => (
  <table className="w-full text-13 max-[359px]:text-12">
    <caption className="sr-only">{caption}</caption>
    <thead>
      <tr className="text-left text-12 text-mute">
        {heads.map(([text, look]) => (
          <th key={text} scope="col" className={`${look} font-medium`}>
            {text}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);
