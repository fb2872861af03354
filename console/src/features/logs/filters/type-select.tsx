import { logType } from '@weir/contract/logs';
import { Select } from '../../../components/form/select.tsx';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { typeOf } from './log-type.ts';
import { filterTypes, readType } from './logs-search.ts';
import type { LogsSearch } from './logs-search.ts';

interface TypeSelectProps {
  readonly id?: string;
  readonly type: number | undefined;
  /** Tests of channels are in the log of administrators only. */
  readonly admin: boolean;
  readonly onPick: (type: LogsSearch['type']) => void;
}

/** The log types of the specification: all, top-up, consumption, management, system; and tests. */
export const TypeSelect = ({ type, admin, onPick, ...rest }: TypeSelectProps) => {
  const t = useT();
  const offered = admin ? filterTypes : filterTypes.filter((each) => each !== logType.test);
  return (
    <Select
      {...rest}
      aria-label={t(m.log_type)}
      value={String(type ?? '')}
      choices={[
        ['', t(admin ? m.log_type_but_tests : m.log_type_all)],
        ...(admin ? ([[String(logType.all), t(m.log_type_all)]] as const) : []),
        ...offered.map((each) => [String(each), t(typeOf(each)[0])] as const),
      ]}
      onPick={(picked) => onPick(readType(picked))}
    />
  );
};
