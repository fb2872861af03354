import { logType } from '@weir/contract/logs';
import { Select } from '../../../components/form/select.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { typeOf } from './log-type.ts';
import { filterTypes } from './logs-search.ts';

interface TypeSelectProps {
  readonly id?: string;
  readonly type: number | undefined;
  readonly onPick: (type: number | undefined) => void;
}

/** The log types of the specification: all, top-up, consumption, management, system. */
export const TypeSelect = ({ type, onPick, ...rest }: TypeSelectProps) => {
  const t = useT();
  return (
    <Select
      {...rest}
      aria-label={t(m.log_type)}
      value={String(type ?? logType.all)}
      choices={[
        [String(logType.all), t(m.log_type_all)],
        ...filterTypes.map((each) => [String(each), t(typeOf(each)[0])] as const),
      ]}
      onPick={(picked) => onPick(Number(picked) || undefined)}
    />
  );
};
