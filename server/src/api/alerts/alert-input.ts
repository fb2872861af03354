import {
  type createAlertDestination,
  type createAlertRule,
  type DestinationKind,
  ruleFigures,
  type AlertKind,
  type updateAlertDestination,
  type updateAlertRule,
} from '@weir/contract/alerts/alerts';
import type { BodyOf } from '@weir/contract/endpoint';
import { AppError, type Fault } from '../../errors.ts';
import type { DestinationConfig } from '../../store/alerts/alert-destinations.ts';
import type { NewAlertRule } from '../../store/alerts/alert-rules.ts';
import { readWebAddress } from '../web-address.ts';

const invalid = (fault: Fault): AppError => new AppError('invalid_input', { faults: [fault] });

type RuleBody = Omit<BodyOf<typeof updateAlertRule>, 'id'> | Omit<BodyOf<typeof createAlertRule>, 'kind'>;

/** The columns of a rule. Figures that its kind does not have are 0. */
export const ruleColumns = (kind: AlertKind, body: RuleBody): NewAlertRule => {
  const figure = (member: 'threshold' | 'window_minutes' | 'least'): number => {
    const bounds = ruleFigures[kind][member];
    if (bounds === undefined) return 0;
    const value = body[member];
    if (value < bounds.min) throw invalid({ member, code: 'too_small', limit: bounds.min });
    if (value > bounds.max) throw invalid({ member, code: 'too_large', limit: bounds.max });
    return value;
  };
  return {
    name: body.name,
    kind,
    severity: body.severity,
    enabled: body.enabled ? 1 : 0,
    threshold: figure('threshold'),
    window_minutes: figure('window_minutes'),
    least: figure('least'),
    repeat_minutes: body.repeat_minutes,
    destinations: JSON.stringify([...new Set(body.destinations)]),
  };
};

type DestinationBody =
  | Omit<BodyOf<typeof updateAlertDestination>, 'id'>
  | Omit<BodyOf<typeof createAlertDestination>, 'kind'>;

/** Kinds whose secret must be there, and those that have one at all. */
const needSecret: ReadonlySet<DestinationKind> = new Set<DestinationKind>(['webhook', 'pusher', 'telegram']);
const haveSecret: ReadonlySet<DestinationKind> = new Set<DestinationKind>([...needSecret, 'feishu', 'dingtalk']);

const checkUrl = (member: string, text: string): void => {
  if (readWebAddress(text) === undefined) throw invalid({ member, code: 'not_an_address' });
};

/**
 * The configuration of a destination. `before`: the stored one, of which empty members stay; a secret does not go along
 * to another address, which may not be the one that it was entered for.
 */
export const destinationConfig = (
  kind: DestinationKind,
  body: DestinationBody,
  before?: DestinationConfig,
): DestinationConfig => {
  const address = body.address.trim() || (before?.address ?? '');
  const server = kind === 'telegram' ? body.server.trim() : '';
  const given = haveSecret.has(kind) ? body.secret.trim() : '';
  if (address === '') throw invalid({ member: 'address', code: 'missing' });
  if (kind === 'mail') {
    if (address.split(';').some((each) => !/^[^\s@]+@[^\s@]+$/.test(each.trim())))
      throw invalid({ member: 'address', code: 'malformed' });
  } else if (kind === 'telegram') {
    if (!/^(?:-?\d{1,20}|@\w{1,64})$/.test(address)) throw invalid({ member: 'address', code: 'malformed' });
    checkUrl('server', server);
    if (/[?#]/.test(server)) throw invalid({ member: 'server', code: 'not_an_address' });
  } else checkUrl('address', address);
  // It becomes a part of the path.
  if (kind === 'telegram' && !/^[\w:-]*$/.test(given)) throw invalid({ member: 'secret', code: 'malformed' });
  const isMoved =
    before !== undefined && (server !== before.server || (kind !== 'telegram' && address !== before.address));
  if (isMoved && before.secret !== '' && given === '') throw new AppError('alert_secret_required');
  const secret = given || (before?.secret ?? '');
  if (secret === '' && needSecret.has(kind)) throw invalid({ member: 'secret', code: 'missing' });
  return { address, secret, server };
};
