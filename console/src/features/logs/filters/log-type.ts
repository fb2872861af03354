import { logType } from '@weir/contract/logs';
import type { IconName } from '../../../components/icon.tsx';
import type { Message } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** The word of a record's type, and a picture for those that are not plain use; numbers of other releases are unknown, not an error. */
export const typeOf = (type: number): readonly [word: Message, icon: IconName | undefined] => {
  switch (type) {
    case logType.topUp:
      return [m.log_type_topup, 'wallet'];
    case logType.consume:
      return [m.log_type_consume, undefined];
    case logType.manage:
      return [m.log_type_manage, 'users'];
    case logType.system:
      return [m.log_type_system, 'settings'];
    case logType.test:
      return [m.log_type_test, 'play'];
    default:
      return [m.log_type_unknown, 'info'];
  }
};

/** Records of a call to a model: they have tokens and a cost even when it is 0. */
export const isCall = (type: number): boolean => type === logType.consume || type === logType.test;
