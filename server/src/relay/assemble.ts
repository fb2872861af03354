import type { Accounts } from '../billing/accounts.ts';
import { type Prices, createPrices } from '../billing/price/prices.ts';
import { createTokenCounter } from '../billing/counting/token-counter.ts';
import { createClientAddress } from '../http/client-address.ts';
import { type AuditNotes, createAuditNotes } from '../store/audit-notes.ts';
import type { Changes } from '../store/nodes/changes.ts';
import type { Database } from '../store/database.ts';
import type { Options } from '../store/options.ts';
import type { Secrets } from '../store/credentials/secrets.ts';
import { type PrivateUpstreams, createAddressGuard } from './upstream/address-guard.ts';
import { createAffinity } from './routing/affinity.ts';
import { type BillingDashboard, createBillingDashboard } from './call/billing-dashboard.ts';
import type { RelayLog, RelayTools } from './call/job.ts';
import { createKeptItems } from './call/kept-items.ts';
import { type RelayLimits, contentLimits, relayLimits } from './limits.ts';
import { createNotePace } from './call/note-pace.ts';
import { createRests } from './routing/rests.ts';
import { loadRoutingTable } from './routing/routing-table.ts';
import { type Sessions, createSessions } from './realtime/sessions.ts';
import { watchSettings } from './settings.ts';
import { createSupplies } from './upstream/supplies.ts';
import { type TokenCheck, createTokenCheck } from './client/token-check.ts';
import { createTranslations } from './call/translations.ts';
import { type AtTurnEnd, createTurnEnd } from './call/turn-end.ts';
import { createUpstream } from './upstream/upstream.ts';
import { type RelayWatch, unwatched } from './call/watch.ts';

export interface RelayDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly changes: Changes;
  readonly options: Options;
  readonly accounts: Accounts;
  readonly clock: { now(): number };
  readonly log: RelayLog;
  readonly config: { readonly trustedProxies: readonly string[]; readonly privateUpstreams: PrivateUpstreams };
  readonly testPrompt: string;
  /** Absent: the defaults. */
  readonly limits?: Partial<RelayLimits>;
  /** Absent: nobody follows what happens. */
  readonly watch?: RelayWatch;
}

/** What the relay is made of. */
export interface Parts {
  readonly tools: RelayTools;
  readonly tokenCheck: TokenCheck;
  readonly prices: Prices;
  readonly billing: BillingDashboard;
  readonly sessions: Sessions;
  /** Of what goes to clients. */
  readonly atTurnEnd: AtTurnEnd;
  readonly notes: AuditNotes;
  /** Who really asks, behind whatever proxies are trusted. */
  readonly addressOf: ReturnType<typeof createClientAddress>;
}

/** Makes the parts of the relay. Rejects when the database cannot be read. */
export const assemble = async (deps: RelayDeps): Promise<Parts & { end(): Promise<void> }> => {
  const { accounts, changes, clock, config, db, log, options, secrets } = deps;
  const limits = { ...relayLimits, ...deps.limits };
  const onError = (error: unknown) => log.error({ err: error }, 'the relay could not read or write the database');
  const routes = await loadRoutingTable({ db, secrets, changes, times: limits, onError });
  const addressOf = createClientAddress(config.trustedProxies);
  const tokenCheck = await createTokenCheck({ db, secrets, changes, accounts, clock, addressOf, onError });
  const notes = createAuditNotes({ db, onError });
  const prices = createPrices(options);
  const settings = watchSettings(options);
  const tokens = createTokenCounter({ approximate: () => options.get('ApproximateTokenEnabled') });
  const upstream = createUpstream({ guard: createAddressGuard(config.privateUpstreams), limits });
  // Whatever operators may reach with their channels, callers never reach a private address.
  const content = createUpstream({ guard: createAddressGuard('deny'), limits: { ...limits, ...contentLimits } });
  return {
    tools: {
      kind: db.kind,
      limits,
      upstream,
      supplies: createSupplies({ upstream, content, limits, clock }),
      routes,
      rests: createRests({ clock }),
      affinity: createAffinity({ clock }),
      translations: createTranslations(),
      kept: createKeptItems({ clock, keptMs: limits.keptMs, roomMax: limits.keptMax }),
      accounts,
      tokens,
      pace: createNotePace(),
      settings: settings.current,
      testPrompt: deps.testPrompt,
      clock,
      random: Math.random,
      log,
      watch: deps.watch ?? unwatched,
    },
    tokenCheck,
    prices,
    billing: createBillingDashboard({ db, options }),
    sessions: createSessions(),
    atTurnEnd: createTurnEnd(),
    notes,
    addressOf,
    end: async () => {
      routes.close();
      tokenCheck.close();
      prices.close();
      settings.close();
      await upstream.close();
      await content.close();
      await tokens.close();
      await notes.close();
    },
  };
};
