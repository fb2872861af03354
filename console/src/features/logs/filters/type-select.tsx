import { logType } from '@weir/contract/logs';
import { Select } from '../../../components/form/select.tsx';
import { useCapabilities } from '../../../lib/api/capabilities.ts';
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

/** The log types of the specification: all, top-up, consumption, management, system; tests; and refused calls. */
export const TypeSelect = ({ type, admin, onPick, ...rest }: TypeSelectProps) => {
  const t = useT();
  const capabilities = useCapabilities();
  const isOffered = (each: number): boolean =>
    each === logType.test ? admin : each !== logType.refused || capabilities;
  const offered = filterTypes.filter(isOffered);
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
