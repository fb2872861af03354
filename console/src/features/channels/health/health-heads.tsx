import { useT } from '../../../lib/hooks/use-t.ts';
import type { Message } from '../../../lib/hooks/use-t.ts';

/** The names of a table's columns. */
export const HealthHeads = ({ heads }: { readonly heads: readonly Message[] }) => {
  const t = useT();
  return (
    <thead>
      <tr className="text-left text-12 text-mute">
        {heads.map((head) => (
          <th key={t(head)} scope="col" className="px-4 pt-2 pb-1 font-medium">
            {t(head)}
          </th>
        ))}
      </tr>
    </thead>
  );
};
