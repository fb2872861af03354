import type { ReactNode } from 'react';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { FormFrame } from '../form/form-frame.tsx';
import { Button } from '../button.tsx';
import { Sheet } from '../overlay/sheet.tsx';

interface FilterSheetProps {
  /** Number of active filters. */
  readonly count: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The filters of a list on a phone; they apply to the list immediately, the button closes the sheet. */
export const FilterSheet = ({ count, onClose, children }: FilterSheetProps) => {
  const t = useT();
  const footer = (
    <Button type="submit" look="primary">
      {count > 0 ? t(m.filters_apply_count, { count }) : t(m.filters_apply)}
    </Button>
  );
  return (
    <Sheet onClose={onClose}>
      <FormFrame title={t(m.filters)} footer={footer} onSubmit={onClose}>
        <div className="flex flex-wrap gap-3 [&>*]:basis-full!">{children}</div>
      </FormFrame>
    </Sheet>
  );
};
