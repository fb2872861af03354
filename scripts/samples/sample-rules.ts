import { runHeaders } from '@weir/contract/limits/run-rules';
import type { ManagementClient } from '../../server/test/clients/management-client.ts';

export type Call = ManagementClient['call'];

interface Named {
  readonly id: number;
}

export const unitsPerDollar = 500_000;

const addTeam = async (call: Call): Promise<number> => {
  const team = { name: 'product', display_name: 'Product', manager: 'research' };
  const { id } = await call<Named>('POST', '/api/team/', team);
  await call('POST', '/api/topup', { user_id: id, quota: 250 * unitsPerDollar });
  for (const username of ['mobile-team', 'marketing', 'support'])
    await call('POST', `/api/team/${id}/member`, { username });
  for (const name of ['staging', 'release-notes'])
    await call('POST', `/api/team/${id}/token/`, { name, expired_time: -1, unlimited_quota: true });
  return id;
};

const addInvitations = async (call: Call, team: number): Promise<void> => {
  const preset = { name: 'Course', remain_quota: 2 * unitsPerDollar, days: 30, models: 'gpt-5-mini,claude-haiku-4-5' };
  const { id } = await call<Named>('POST', '/api/key-preset/', preset);
  await call('POST', '/api/key-preset/', { name: 'Laptop', unlimited_quota: true, days: 365 });
  await call('POST', '/api/invitation/', { name: 'Autumn school', preset_id: id, uses_max: 30 });
  await call('POST', '/api/invitation/', { name: 'New colleagues', team_id: team, uses_max: 5 });
};

const addBudgets = async (call: Call): Promise<void> => {
  const token = async (name: string) => (await call<Named[]>('GET', `/api/token/search?keyword=${name}`))[0]?.id ?? 0;
  const zone = 'Europe/Berlin';
  for (const { dollars, ...budget } of [
    { scope: 'token', subject_id: await token('website'), period: 'day', dollars: 2 },
    { scope: 'token', subject_id: await token('support-bot'), period: 'month', dollars: 25, rollover: true },
    { scope: 'model', model: 'claude-sonnet-4-5', period: 'week', dollars: 40, hard: false },
    { scope: 'model', model: 'gpt-5', period: 'month', dollars: 60 },
  ])
    await call('POST', '/api/budget/', { ...budget, zone, amount: dollars * unitsPerDollar });
};

const addRateLimits = async (call: Call): Promise<void> => {
  for (const rule of [
    { scope: 'token', metric: 'requests', period: 'minute', amount: 120 },
    { scope: 'group', subject: 'default', metric: 'tokens', period: 'hour', amount: 2_000_000 },
    { scope: 'channel', subject: '7', metric: 'concurrent', period: '', amount: 8 },
    { scope: 'model', model: 'o3', metric: 'requests', period: 'day', amount: 5000 },
  ])
    await call('POST', '/api/rate-limit/', rule);
};

const addAlerts = async (call: Call): Promise<void> => {
  const quiet = { from: '22:00', until: '07:00', zone: 'Europe/Berlin' };
  const mail = { name: 'Operations', kind: 'mail', address: 'operations@example.com', enabled: true, quiet };
  await call('POST', '/api/alert/destination/', mail);
  // Without destinations: there is no server for mail.
  for (const rule of [
    { name: 'Channel disabled', kind: 'channel_disabled', severity: 'critical' },
    { name: 'Tokens that expire', kind: 'key_expires', severity: 'warning', threshold: 7 },
    { name: 'Budgets nearly spent', kind: 'budget', severity: 'warning', threshold: 80 },
    { name: 'Low balances', kind: 'user_balance', severity: 'warning', threshold: 10 * unitsPerDollar },
  ])
    await call('POST', '/api/alert/rule/', { enabled: true, repeat_minutes: 0, destinations: [], ...rule });
};

/** Creates a team, invitations, budgets, rate limits and alerts over the API. */
export const addRules = async (call: Call): Promise<void> => {
  const team = await addTeam(call);
  await addInvitations(call, team);
  await addBudgets(call);
  await addRateLimits(call);
  await addAlerts(call);
};

/** Relays the calls of two runs of an agent. The first channel must have a working upstream. */
export const addRuns = async (url: string, call: Call): Promise<void> => {
  const { key } = await call<{ readonly key: string }>('POST', '/api/token/', { name: 'agent', unlimited_quota: true });
  const steps = ['plan', 'search/web', 'search/web', 'search/files', 'write', 'write/check'];
  const runs = [
    ['quarterly-report', 'gpt-5', steps],
    ['release-notes-4.2', 'gpt-5-mini', steps.slice(0, 4)],
  ] as const;
  for (const [run, model, of] of runs)
    for (const step of of) {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer sk-${key}`,
          'content-type': 'application/json',
          [runHeaders.id]: run,
          [runHeaders.step]: step,
          [runHeaders.budget]: String(2 * unitsPerDollar),
          [runHeaders.calls]: '200',
        },
        body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: step }] }),
      });
      await response.text();
      if (!response.ok) throw new Error(`a call of the run ${run} was answered with ${response.status}`);
    }
};
