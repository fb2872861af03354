import { pageSize } from '@weir/contract/wire';
import { shownSizes } from '../../lib/lists/list-search.ts';
import { pagerEnd, pagerItems } from '../../lib/lists/pager.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import type { DataTableProps } from './data-table-types.ts';
import { IconButton } from '../icon-button.tsx';
import { Select } from '../form/select.tsx';

interface TableFooterProps<Row extends { readonly id: number }> extends Pick<
  DataTableProps<Row>,
  'list' | 'patch' | 'footer' | 'usualSize' | 'keep'
> {
  readonly page: number;
  readonly size: number;
  readonly shown: number;
  /** Loaded rows that pass the view. */
  readonly loaded: number;
}

/** The list's buttons and its pager; stays at the bottom of the window while the list is on screen. */
export const TableFooter = <Row extends { readonly id: number }>(props: TableFooterProps<Row>) => {
  const { page, size, loaded, shown, list, keep, patch } = props;
  const t = useT();
  // Only the loaded rows are known to pass the view.
  const total = keep ? undefined : list.total;
  const { count, last, more } = pagerEnd({ loaded, complete: list.complete, total, size });
  const sizes = shownSizes.map((each) => [String(each), t(m.rows_per_page, { count: each })] as const);
  const range = { from: (page - 1) * size + 1, to: (page - 1) * size + shown };
  return (
    // On a phone it would move when rows arrive: it is shown with the last part of its page.
    <div
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 bg-bg py-3 md:sticky md:bottom-0 md:z-10 ${list.fetching && !list.complete && shown < size ? 'max-md:hidden' : ''}`}
    >
      {props.footer && <div className="flex flex-wrap gap-2 max-[1365px]:[&_svg]:hidden">{props.footer}</div>}
      <div className="ml-auto flex flex-wrap items-center gap-x-2 gap-y-2 max-md:ml-0">
        <p className="text-13 whitespace-nowrap text-mute tabular-nums">
          {shown > 0 && (count === undefined ? t(m.rows_more, range) : t(m.rows_of, { ...range, count }))}
        </p>
        <Select
          aria-label={t(m.page_size)}
          value={String(size)}
          choices={sizes}
          onPick={(picked) =>
            patch({ size: Number(picked) === (props.usualSize ?? pageSize) ? undefined : Number(picked), p: undefined })
          }
        />
        <Pages
          page={page}
          last={last}
          more={more}
          onGo={(to) => patch({ p: to === 1 ? undefined : to }, { push: true })}
        />
      </div>
    </div>
  );
};

interface PagesProps {
  readonly page: number;
  readonly last: number;
  /** There is at least one page beyond `last`. */
  readonly more: boolean;
  readonly onGo: (page: number) => void;
}

const Pages = ({ page, last, more, onGo }: PagesProps) => {
  const t = useT();
  return (
    <nav aria-label={t(m.pages)} className="flex items-center">
      <IconButton icon="left" label={t(m.page_previous)} disabled={page <= 1} onClick={() => onGo(page - 1)} />
      {pagerItems(page, Math.max(last, page)).map((item, index) =>
        item === 'gap' ? (
          <span key={`gap${index}`} aria-hidden="true" className="px-1 text-mute">
            …
          </span>
        ) : (
          <button
            key={item}
            type="button"
            aria-label={t(m.page_number, { page: item })}
            aria-current={item === page ? 'page' : undefined}
            className="min-h-8 min-w-8 rounded-control px-1 tabular-nums hover:bg-raised aria-[current=page]:bg-off-bg aria-[current=page]:font-semibold pointer-coarse:min-h-11 pointer-coarse:min-w-9"
            onClick={() => onGo(item)}
          >
            {item}
          </button>
        ),
      )}
      <IconButton icon="right" label={t(m.page_next)} disabled={!more && page >= last} onClick={() => onGo(page + 1)} />
    </nav>
  );
};
