import {
  acknowledgeAlert,
  type AlertMessage,
  createAlertDestination,
  createAlertRule,
  deleteAlertDestination,
  deleteAlertRule,
  destinationsMax,
  listAlertDestinations,
  listAlertRules,
  listAlerts,
  type QuietHours,
  rulesMax,
  testAlertDestination,
  updateAlertDestination,
  updateAlertRule,
} from '@weir/contract/alerts/alerts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { changedNames } from '../../http/audit.ts';
import type { Actor } from '../../http/authenticate.ts';
import { route, type Routes } from '../../http/route.ts';
import { createMessageId } from '../../jobs/alerts/apply-rule.ts';
import { deliveryOf, reasonOf } from '../../jobs/alerts/deliver-alerts.ts';
import type { SendAlert } from '../../jobs/alerts/send-alert.ts';
import * as destinations from '../../store/alerts/alert-destinations.ts';
import { readAlertDeliveries } from '../../store/alerts/alert-outbox.ts';
import * as rules from '../../store/alerts/alert-rules.ts';
import * as store from '../../store/alerts/alerts.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import { destinationConfig, ruleColumns } from './alert-input.ts';
import { toAlert, toDestination, toRule } from './alert-views.ts';

interface AlertRoutesDeps {
  readonly clock: { now(): number };
  readonly sendAlert: SendAlert;
}

/** A change that is noted. */
interface Noted {
  readonly action: string;
  readonly id: number;
  readonly detail: string;
}

interface By {
  readonly actor: Actor;
  readonly request: FastifyRequest;
}

const quietColumns = (quiet: QuietHours | null) => ({
  quiet_from: quiet?.from ?? '',
  quiet_until: quiet?.until ?? '',
  quiet_zone: quiet?.zone ?? '',
});

const checkDestinations = async (trx: DatabaseTransaction, ids: readonly number[]): Promise<void> => {
  const known = new Set((await destinations.listAlertDestinations(trx)).map(({ id }) => id));
  if (ids.some((id) => !known.has(id))) throw new AppError('alert_destination_unknown');
};

const ruleRoutes = (routes: Routes, { clock }: AlertRoutesDeps): void => {
  const { audit, db } = routes.deps;
  const note = (trx: DatabaseTransaction, { actor, request }: By, { id, ...noted }: Noted) =>
    audit.note(trx, { ...noted, request, actor: actor.user, subject: `alert rule ${id}` });

  route(routes, listAlertRules, async () => ({ data: (await rules.listAlertRules(db.read)).map(toRule) }));

  route(routes, createAlertRule, async ({ body, ...by }) => {
    const columns = ruleColumns(body.kind, body);
    const row = await db.write.transaction().execute(async (trx) => {
      if ((await rules.listAlertRules(trx)).length >= rulesMax) throw new AppError('alerts_full', { limit: rulesMax });
      await checkDestinations(trx, body.destinations);
      const made = await rules.insertAlertRule(trx, columns);
      await note(trx, by, { action: 'create_alert_rule', id: made.id, detail: body.name });
      return made;
    });
    return { data: toRule(row) };
  });

  route(routes, updateAlertRule, async ({ body, ...by }) => {
    const row = await db.write.transaction().execute(async (trx) => {
      const before = await rules.findAlertRule(trx, body.id);
      if (before === undefined) throw new AppError('not_found');
      const columns = ruleColumns(toRule(before).kind, body);
      await checkDestinations(trx, body.destinations);
      const changed = await rules.updateAlertRule(trx, body.id, columns);
      if (changed === undefined) throw new AppError('not_found');
      if (!body.enabled) await store.closeAlertOf(trx, { ruleId: body.id, at: Math.floor(clock.now() / 1000) });
      await note(trx, by, {
        action: 'update_alert_rule',
        id: body.id,
        detail: changedNames(columns, before).join(' '),
      });
      return changed;
    });
    return { data: toRule(row) };
  });

  route(routes, deleteAlertRule, async ({ params: { id }, ...by }) => {
    await db.write.transaction().execute(async (trx) => {
      if (!(await rules.deleteAlertRule(trx, id))) throw new AppError('not_found');
      await store.closeAlertOf(trx, { ruleId: id, at: Math.floor(clock.now() / 1000) });
      await note(trx, by, { action: 'delete_alert_rule', id, detail: '' });
    });
    return {};
  });
};

const destinationRoutes = (routes: Routes): void => {
  const { audit, db, secrets } = routes.deps;
  const note = (trx: DatabaseTransaction, { actor, request }: By, { id, ...noted }: Noted) =>
    audit.note(trx, { ...noted, request, actor: actor.user, subject: `alert destination ${id}` });

  route(routes, listAlertDestinations, async () => ({
    data: (await destinations.listAlertDestinations(db.read)).map((row) => toDestination(row, secrets)),
  }));

  route(routes, createAlertDestination, async ({ body, ...by }) => {
    const { name, kind, enabled, quiet } = body;
    const sealed = destinations.sealedDestination(secrets, destinationConfig(kind, body));
    const columns = { name, kind, enabled: enabled ? 1 : 0, ...sealed, ...quietColumns(quiet) };
    const row = await db.write.transaction().execute(async (trx) => {
      if ((await destinations.listAlertDestinations(trx)).length >= destinationsMax)
        throw new AppError('alerts_full', { limit: destinationsMax });
      const made = await destinations.insertAlertDestination(trx, columns);
      await note(trx, by, { action: 'create_alert_destination', id: made.id, detail: name });
      return made;
    });
    return { data: toDestination(row, secrets) };
  });

  route(routes, updateAlertDestination, async ({ body, ...by }) => {
    const { id, name, enabled, quiet } = body;
    const row = await db.write.transaction().execute(async (trx) => {
      const before = await destinations.findAlertDestination(trx, id);
      if (before === undefined) throw new AppError('not_found');
      const stored = destinations.openDestination(secrets, before);
      const config = destinationConfig(toDestination(before, secrets).kind, body, stored);
      const plain = { name, enabled: enabled ? 1 : 0, ...quietColumns(quiet) };
      const changed = await destinations.updateAlertDestination(trx, id, {
        ...plain,
        ...destinations.sealedDestination(secrets, config),
      });
      if (changed === undefined) throw new AppError('not_found');
      const names = [...changedNames(plain, before), ...changedNames(config, stored)];
      await note(trx, by, { action: 'update_alert_destination', id, detail: names.join(' ') });
      return changed;
    });
    return { data: toDestination(row, secrets) };
  });

  route(routes, deleteAlertDestination, async ({ params: { id }, ...by }) => {
    await db.write.transaction().execute(async (trx) => {
      if (!(await destinations.deleteAlertDestination(trx, id))) throw new AppError('not_found');
      for (const rule of await rules.listAlertRules(trx)) {
        const left = toRule(rule).destinations.filter((each) => each !== id);
        await rules.updateAlertRule(trx, rule.id, { destinations: JSON.stringify(left) });
      }
      await note(trx, by, { action: 'delete_alert_destination', id, detail: '' });
    });
    return {};
  });
};

const testRoute = (routes: Routes, { clock, sendAlert }: AlertRoutesDeps): void => {
  const { audit, db, secrets } = routes.deps;

  route(routes, testAlertDestination, async ({ params: { id }, actor, request }) => {
    const row = await destinations.findAlertDestination(db.read, id);
    if (row === undefined) throw new AppError('not_found');
    const message: AlertMessage = {
      type: 'alert.test',
      timestamp: new Date(clock.now()).toISOString(),
      data: { alert_id: 0, rule: row.name, kind: 'test', severity: 'warning', subjects: [], subject_count: 0 },
    };
    const delivery = deliveryOf(secrets, row, { id: createMessageId(), message });
    if (delivery === undefined) throw new AppError('not_found');
    await audit.noteAlone({ request, actor: actor.user, action: 'test_alert', subject: `alert destination ${id}` });
    try {
      await sendAlert(delivery);
    } catch (error) {
      throw new AppError('alert_test_failed', { reason: reasonOf(error) }, error);
    }
    return {};
  });
};

const historyRoutes = (routes: Routes, { clock }: AlertRoutesDeps): void => {
  const { audit, db } = routes.deps;

  route(routes, listAlerts, async ({ query: { p: page, state } }) => {
    const rows = await store.listAlerts(db, { state: state === 'open' || state === 'resolved' ? state : '', page });
    const deliveries = await readAlertDeliveries(
      db,
      rows.map(({ id }) => id),
    );
    return { data: rows.map((row) => toAlert(row, deliveries.get(row.id))) };
  });

  route(routes, acknowledgeAlert, async ({ params: { id }, actor, request }) => {
    const at = Math.floor(clock.now() / 1000);
    await db.write.transaction().execute(async (trx) => {
      const done = await store.acknowledgeAlert(trx, { id, by: actor.user.username, at });
      if (!done) throw new AppError('alert_not_open');
      await audit.note(trx, { request, actor: actor.user, action: 'acknowledge_alert', subject: `alert ${id}` });
    });
    return {};
  });
};

export const alertRoutes = (routes: Routes, deps: AlertRoutesDeps): void => {
  ruleRoutes(routes, deps);
  destinationRoutes(routes);
  testRoute(routes, deps);
  historyRoutes(routes, deps);
};
