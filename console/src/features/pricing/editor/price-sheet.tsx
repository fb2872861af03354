import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../../components/failure.tsx';
import { FormSkeleton } from '../../../components/form/form-skeleton.tsx';
import { Sheet } from '../../../components/overlay/sheet.tsx';
import { SheetHead } from '../../../components/overlay/sheet-head.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { PriceForm } from './price-form.tsx';
import { pricedModelsQuery } from './queries.ts';

interface PriceSheetProps {
  /** The name that upstreams are called with. */
  readonly model: string;
  readonly onClose: () => void;
}

/** The editor of the prices of one model. */
export const PriceSheet = ({ model, onClose }: PriceSheetProps) => {
  const t = useT();
  const { data, error, refetch } = useQuery(pricedModelsQuery(model));
  const found = data?.models.find((each) => each.model === model);
  return (
    <Sheet onClose={onClose}>
      {data && found ? (
        <PriceForm key={model} model={found} facts={data} onClose={onClose} />
      ) : (
        <>
          <SheetHead title={t(m.price_edit_title)} />
          <div className="p-5">
            {error ? <Failure error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={6} />}
          </div>
        </>
      )}
    </Sheet>
  );
};
