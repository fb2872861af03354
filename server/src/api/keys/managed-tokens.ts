import { tokenCalls } from '@weir/contract/teams/token-calls';
import { tokenOrders } from '@weir/contract/tokens';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/authenticate.ts';
import { route, type Routes } from '../../http/route.ts';
import type { DatabaseTransaction } from '../../store/database.ts';
import * as store from '../../store/tokens.ts';
import { teamTokens } from '../teams/team-tokens.ts';
import { checkSubnet } from '../token-input.ts';
import { toMaskedToken, toToken } from '../token-view.ts';
import { endOverlap, rollKey } from './roll-key.ts';
import { type TokenAuthority, type TokenReader, userTokens } from './token-authority.ts';
import { tokensOfUsersRoute } from './tokens-of-users.ts';
import { addToken, changeToken, removeToken, type TokenChange, type TokenRoutesDeps } from './token-changes.ts';

type Calls = (typeof tokenCalls)[keyof typeof tokenCalls];

const readRoutes = (routes: Routes, { list, get }: Calls, authority: TokenAuthority): void => {
  const { db, secrets } = routes.deps;
  const shown = (row: store.TokenRow, { memberId }: TokenReader) =>
    row.member_id > 0 && row.member_id === memberId ? toToken(row, secrets) : toMaskedToken(row, secrets);

  route(routes, list, async ({ params, query, actor }) => {
    const reader = await authority.check(db.read, params.id, actor);
    const order = tokenOrders.find((known) => known === query.order) ?? '';
    const own = { userId: params.id, ...(reader.seesAll ? {} : { memberId: reader.memberId }) };
    const [rows, total] = await Promise.all([
      store.listTokens(db, { ...own, order, page: query.p }),
      query.p === 0 ? store.countListedTokens(db, own) : undefined,
    ]);
    return { data: rows.map((row) => shown(row, reader)), total };
  });

  route(routes, get, async ({ params, actor }) => {
    const reader = await authority.check(db.read, params.id, actor);
    const row = await store.findToken(db.read, { id: params.token, userId: params.id });
    if (row === undefined || !(reader.seesAll || row.member_id === reader.memberId)) throw new AppError('not_found');
    return { data: shown(row, reader) };
  });
};

interface ChangeDeps extends TokenRoutesDeps {
  readonly authority: TokenAuthority;
}

const changeRoutes = (routes: Routes, on: Calls, { authority, changes, clock }: ChangeDeps): void => {
  const { db, secrets } = routes.deps;

  interface By {
    readonly params: { readonly id: number };
    readonly actor: Actor;
    readonly request: TokenChange['request'];
  }
  const change = async <Result>(
    { params, actor, request }: By,
    tokenId: number | undefined,
    make: (trx: DatabaseTransaction, change: TokenChange) => Promise<Result>,
  ): Promise<Result> => {
    const made = { ownerId: params.id, actor: actor.user, request, at: Math.floor(clock.now() / 1000) };
    return db.write.transaction().execute(async (trx) => {
      const memberId = await authority.checkChange(trx, made, { actor, tokenId });
      return make(trx, { ...made, memberId });
    });
  };

  route(routes, on.create, async ({ body, ...call }) => {
    checkSubnet(body.subnet);
    const row = await change(call, undefined, (trx, made) => addToken(trx, routes.deps, { body, change: made }));
    return { data: toToken(row, secrets) };
  });

  route(routes, on.update, async ({ body, query, ...call }) => {
    checkSubnet(body.subnet);
    const statusOnly = query.status_only !== '';
    const row = await change(call, body.id, (trx, made) =>
      changeToken(trx, routes.deps, { body, statusOnly, change: made }),
    );
    changes.publish({ topic: 'token', id: row.id });
    return { data: toMaskedToken(row, secrets) };
  });

  route(routes, on.remove, async (call) => {
    const { token: id } = call.params;
    await change(call, id, (trx, made) => removeToken(trx, routes.deps, { id, change: made }));
    changes.publish({ topic: 'token', id });
    return {};
  });

  route(routes, on.roll, async ({ body, ...call }) => {
    const { id, roll_id: rollId, overlap_seconds: overlapSeconds } = body;
    const row = await change(call, id, (trx, made) =>
      rollKey(trx, routes.deps, { id, rollId, overlapSeconds, change: made }),
    );
    changes.publish({ topic: 'token', id: row.id });
    return { data: toToken(row, secrets) };
  });

  route(routes, on.endOverlap, async ({ body, ...call }) => {
    const row = await change(call, body.id, (trx, made) => endOverlap(trx, routes.deps, { id: body.id, change: made }));
    changes.publish({ topic: 'token', id: row.id });
    return { data: toMaskedToken(row, secrets) };
  });
};

/** The routes for tokens of other accounts: of users, for administrators, and of teams, for their members. */
export const managedTokenRoutes = (routes: Routes, deps: TokenRoutesDeps): void => {
  readRoutes(routes, tokenCalls.user, userTokens);
  changeRoutes(routes, tokenCalls.user, { ...deps, authority: userTokens });
  readRoutes(routes, tokenCalls.team, teamTokens);
  changeRoutes(routes, tokenCalls.team, { ...deps, authority: teamTokens });
  tokensOfUsersRoute(routes, deps);
};
