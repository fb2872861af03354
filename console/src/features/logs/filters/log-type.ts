import { logType } from '@weir/contract/logs';
import type { Log } from '@weir/contract/logs';
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
    case logType.refused:
      return [m.log_type_refused, 'alert'];
    default:
      return [m.log_type_unknown, 'info'];
  }
};

/** How the text of a failed test begins, on this server and on others of the contract. */
const failedTest = / test failed, error: |测试失败，错误：/;

/** The word and the picture of a record: a failed test is not a passed one. */
export const wordOf = ({ type, content }: Pick<Log, 'type' | 'content'>): ReturnType<typeof typeOf> =>
  type === logType.test && failedTest.test(content) ? [m.log_type_test_failed, 'alert'] : typeOf(type);

/** The text of the type filter. */
export const typeText = (type: number): Message => (type === logType.all ? m.log_type_everything : typeOf(type)[0]);

/** Records of a call to a model: they have tokens and a cost even when it is 0. */
export const isCall = (type: number): boolean => type === logType.consume || type === logType.test;
