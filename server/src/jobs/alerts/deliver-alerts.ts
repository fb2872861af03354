import { alertMessageSchema, destinationKinds } from '@weir/contract/alerts/alerts';
import * as v from 'valibot';
import { AppError, publicText } from '../../errors.ts';
import {
  type AlertDestinationRow,
  findAlertDestination,
  openDestination,
} from '../../store/alerts/alert-destinations.ts';
import { type AlertMessageRow, claimAlertMessages, endAlertClaim } from '../../store/alerts/alert-outbox.ts';
import type { Secrets } from '../../store/credentials/secrets.ts';
import type { Database } from '../../store/database.ts';
import { quietUntil } from './quiet-hours.ts';
import type { AlertDelivery, SendAlert } from './send-alert.ts';

/** Seconds that a node has for what it took: longer than if each try took the longest time that it may. */
const claimSeconds = 600;
/** Messages that a node sends at a time. */
const atOnce = 8;
/** After so many tries a message is dead: a little more than 6 hours after the first. */
export const triesMax = 12;
const firstPause = 30;
const longestPause = 3600;
/** Characters. */
const errorMax = 300;

/** Seconds to wait after so many tries. */
export const pauseAfter = (tries: number): number => Math.min(longestPause, firstPause * 2 ** (tries - 1));

/** Why a message was not taken, for administrators: no header, no body, no secret. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AppError) return publicText(error, 'en');
  return (error instanceof Error ? error.message : 'unknown').slice(0, errorMax);
};

/** What is sent to a destination; undefined: the kind of destination is of another version. */
export const deliveryOf = (
  secrets: Secrets,
  destination: AlertDestinationRow,
  { id, message }: Pick<AlertDelivery, 'id' | 'message'>,
): AlertDelivery | undefined => {
  const kind = destinationKinds.find((known) => known === destination.kind);
  return kind === undefined ? undefined : { id, kind, config: openDestination(secrets, destination), message };
};

interface DeliverDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: { now(): number };
  readonly send: SendAlert;
}

/** The end of the destination's quiet hours, in unix seconds, where the message has to wait for it. */
const quietEnd = (
  { quiet_from: from, quiet_until: until, quiet_zone: zone }: AlertDestinationRow,
  { severity }: AlertMessageRow,
  nowMs: number,
): number | undefined => {
  if (from === '' || severity !== 'warning') return undefined;
  const end = quietUntil({ from, until, zone }, nowMs);
  return end === undefined ? undefined : Math.ceil(end / 1000);
};

/** Sends what is due, each message once. Returns how many messages this node took. */
export const createDeliverAlerts = ({ db, secrets, clock, send }: DeliverDeps): (() => Promise<number>) => {
  const now = () => Math.floor(clock.now() / 1000);
  const end = (row: AlertMessageRow, state: 'sent' | 'dead', error: string) =>
    endAlertClaim(db.write, row, { state, at: now(), error });

  const deliver = async (row: AlertMessageRow): Promise<void> => {
    const destination = await findAlertDestination(db.read, row.destination_id);
    if (destination === undefined) return end(row, 'dead', 'the destination was deleted');
    if (destination.enabled === 0) return end(row, 'dead', 'the destination is disabled');
    const { id, tries } = row;
    const quiet = quietEnd(destination, row, clock.now());
    // Waiting is no try.
    if (quiet !== undefined)
      return endAlertClaim(db.write, row, { state: 'waiting', nextAt: quiet, tries: tries - 1, error: row.last_error });
    try {
      const content: unknown = JSON.parse(row.content);
      const message = v.parse(alertMessageSchema, content);
      const delivery = deliveryOf(secrets, destination, { id: row.message_id, message });
      if (delivery === undefined) return await end(row, 'dead', 'unknown kind of destination');
      await send(delivery);
    } catch (error) {
      const reason = reasonOf(error);
      if (tries >= triesMax) return end(row, 'dead', reason);
      const nextAt = now() + pauseAfter(tries);
      return endAlertClaim(db.write, { id, tries }, { state: 'waiting', nextAt, tries, error: reason });
    }
    return end(row, 'sent', '');
  };

  const deliverInOrder = async (rows: readonly AlertMessageRow[]): Promise<void> => {
    for (const row of rows) {
      // A node that was ended in each of its tries never got to count the last one as a failure.
      if (row.tries > triesMax) await end(row, 'dead', row.last_error || 'no try ended');
      else await deliver(row);
    }
  };

  return async () => {
    const at = now();
    const rows = await claimAlertMessages(db, { now: at, until: at + claimSeconds, limit: atOnce });
    const byDestination = Map.groupBy(
      rows.toSorted((one, other) => one.id - other.id),
      ({ destination_id }) => destination_id,
    );
    // In their order to each destination: an alert opens before it is resolved.
    await Promise.all([...byDestination.values()].map(deliverInOrder));
    return rows.length;
  };
};
