/** A bug that a programmer might make: `from` becomes `to`, once, in a file below `server/src`. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const cachedBalance = 'billing/cached-balance.ts';
const reservation = 'billing/reservation.ts';
const reservedQuota = 'billing/reserved-quota.ts';
const storedHold = 'billing/stored-hold.ts';
const holdGuard = 'billing/hold-guard.ts';
const requests = 'store/ledger/apply-requests.ts';
const credits = 'store/ledger/apply-credits.ts';
const work = 'store/ledger/posting-work.ts';

const assumed = 'store/engine/postgres/assumed-accounts.ts';
const atOnce = 'store/engine/postgres/post-at-once.ts';

/** Of batches that are written without a read. */
const unread: readonly Mutant[] = [
  {
    name: 'a batch at once needs nothing of an account',
    file: assumed,
    from: 'users.set(userId, (least ?? 0) + amount);',
    to: 'users.set(userId, 0 * ((least ?? 0) + amount));',
  },
  {
    name: 'a batch at once needs nothing of a token',
    file: assumed,
    from: '    required.least += amount;\n',
    to: '',
  },
  {
    name: 'a settlement at once needs nothing beyond its hold',
    file: assumed,
    from: 'this.end(posting, posting.amount)',
    to: 'this.end(posting, 0)',
  },
  {
    name: 'a batch at once leaves what accounts hold',
    file: atOnce,
    from: 'sparse({ id, least, available: gain(available), held: gain(held), used, request_count })',
    to: 'sparse({ id, least, available: gain(available), used, request_count })',
  },
  {
    name: 'a batch at once extends no hold',
    file: atOnce,
    from: 'changed.amount - amount',
    to: '0',
  },
];

const inMemory: readonly Mutant[] = [
  {
    name: 'what is reserved in memory does not count',
    file: cachedBalance,
    from: 'balance.available - reserved',
    to: 'balance.available',
  },
  { name: 'a changed balance is not read anew', file: cachedBalance, from: '  cached.stale = true;\n', to: '' },
  {
    name: 'a change during the read of a balance is forgotten',
    file: cachedBalance,
    from: 'if (cached.changes === changes) cached.stale',
    to: 'if (cached.changes >= changes) cached.stale',
  },
  {
    name: 'balances of a batch do not reach the cached balances',
    file: cachedBalance,
    from: 'if (balance !== undefined) cached.balance = balance;',
    to: 'void [cached, balance];',
  },
  {
    name: 'a settled reservation stays in memory',
    file: reservedQuota,
    from: '      this.drop(stoodFor(result));\n',
    to: '',
  },
  {
    name: 'what is reserved in memory does not count in budgets',
    file: reservedQuota,
    from: 'for (const { cached } of budgets) cached.reserved += by;',
    to: '',
  },
  {
    name: 'a budget limits no extension in memory',
    file: reservedQuota,
    from: '!isHard || freeOf(cached) >= by',
    to: 'isHard || freeOf(cached) >= by',
  },
  {
    name: 'balances of budgets do not reach the cached balances',
    file: reservedQuota,
    from: 'applyBalance(cached, result.budgets?.[index]);',
    to: 'void [cached, index];',
  },
  {
    name: 'a failed settlement leaves its amount reserved in memory',
    file: reservedQuota,
    from: '      if (endsRequest(posting)) this.drop(this.amount);\n',
    to: '',
  },
  {
    name: 'a hold that failed is left to itself',
    file: reservation,
    from: '      this.release().catch(this.options.onError);\n',
    to: '',
  },
  {
    name: 'a refused deferred hold ends its request unpaid',
    file: storedHold,
    from: 'given: 0 }).catch(this.options.onError)',
    to: 'given: 0 }).then((kept) => void (this.ended ||= !kept), this.options.onError)',
  },
  {
    name: 'a hold that was free at first is never made durable',
    file: storedHold,
    from: 'return this.details === null ?',
    to: 'return this.amount === 0 || this.details === null ?',
  },
  {
    name: 'a refused extension counts as granted',
    file: storedHold,
    from: "this.amount -= by;\n    return outcome !== 'refused';",
    to: 'this.amount -= by;\n    return true;',
  },
  {
    name: 'an extension is kept in memory',
    file: storedHold,
    from: 'if (this.posted) return',
    to: 'if (this.posted) return by > 0 ? null :',
  },
  {
    name: 'a settlement does not look for its hold',
    file: reservation,
    from: 'const unheld = held === undefined;',
    to: 'const unheld = true;',
  },
  {
    name: 'a stream goes on while its extension is decided',
    file: holdGuard,
    from: 'return this.untilCovered();',
    to: 'void this.untilCovered();',
  },
  {
    name: 'the prompt is not held',
    file: 'billing/hold.ts',
    from: 'price.quota({ prompt: promptTokens, completion: wanted })',
    to: 'price.quota({ prompt: 0, completion: wanted })',
  },
  {
    name: 'the balance caps no output',
    file: 'billing/hold.ts',
    from: 'outputTokens,\n    outputCap: perChoice,',
    to: 'outputTokens,\n    outputCap: null,',
  },
];

const inTheBooks: readonly Mutant[] = [
  { name: 'a hold takes more than the account has', file: requests, from: 'user.available < amount', to: 'false' },
  {
    name: 'a hold takes more than the budget has',
    file: requests,
    from: 'const row = isHard ? work',
    to: 'const row = !isHard ? work',
  },
  {
    name: 'a hold leaves the budgets alone',
    file: work,
    from: 'if (period !== undefined) period.held += amount;',
    to: 'if (period !== undefined && amount < 0) period.held += amount;',
  },
  {
    name: 'a charge is not counted in budgets',
    file: requests,
    from: 'if (period !== undefined) period.used += charged;',
    to: 'void [period, charged];',
  },
  { name: 'a hold takes more than the token has', file: requests, from: 'token.available < amount', to: 'false' },
  {
    name: 'a hold leaves the token alone',
    file: work,
    from: 'for (const account of [user, token])',
    to: 'for (const account of amount > 0 ? [user] : [user, token])',
  },
  {
    name: 'an extension is not added to its hold',
    file: requests,
    from: '{ ...open, amount: posting.amount }',
    to: '{ ...open }',
  },
  {
    name: 'an extension takes its whole hold once more',
    file: requests,
    from: 'const by = posting.amount - open.amount;',
    to: 'const by = posting.amount;',
  },
  {
    name: 'what a node had in memory alone is charged, whatever others have spent',
    file: requests,
    from: 'if (setAside === undefined) return true;',
    to: 'if (setAside !== -1) return true;',
  },
  {
    name: 'what a node had in memory alone is charged to a key that has less',
    file: requests,
    from: 'const token = tokenLimited ? limitedToken(context, tokenId) : undefined;',
    to: 'const token = undefined;',
  },
  {
    name: 'an account pays more than it has',
    file: requests,
    from: 'Math.min(posting.amount, user?.available ?? 0)',
    to: 'posting.amount',
  },
  {
    name: 'a token pays more than it has',
    file: requests,
    from: 'Math.min(charged, token.available)',
    to: 'charged',
  },
  { name: 'a charge is not counted as used', file: requests, from: '    user.used += charged;\n', to: '' },
  { name: 'a token does not count what it used', file: requests, from: '    token.used += charged;\n', to: '' },
  { name: 'a token pays nothing', file: requests, from: '      token.available -= paid;\n', to: '' },
  {
    name: 'an account is spared what its token has not',
    file: requests,
    from: 'Math.min(posting.amount, user?.available ?? 0)',
    to: 'Math.min(posting.amount, user?.available ?? 0, token?.unlimited_quota === 0 ? token.available : Infinity)',
  },
  {
    name: 'a token is not allocated what it was charged beyond its quota',
    file: requests,
    from: 'if (charged > paid) allocateOverdraft(context, posting, opKey, charged - paid);',
    to: '',
  },
  {
    name: 'a channel does not count what it was used for',
    file: requests,
    from: '(work.channels.get(posting.channelId) ?? 0) + charged',
    to: 'charged',
  },
  {
    name: 'what could not be collected is forgotten',
    file: requests,
    from: '    unrecovered,\n',
    to: '    unrecovered: 0,\n',
  },
  {
    name: 'a settled hold stays open',
    file: requests,
    from: 'if (open !== undefined) endHold(context, open);',
    to: '',
  },
  {
    name: 'an ended hold stays held',
    file: work,
    from: 'account.held += amount;',
    to: 'if (amount > 0) account.held += amount;',
  },
  {
    name: 'an ended hold is not given back',
    file: work,
    from: 'account.available -= amount;',
    to: 'if (amount > 0) account.available -= amount;',
  },
  {
    name: 'an ended hold is not given back to its token',
    file: work,
    from: 'const token = hold.token_limited === 1 ? tokens.get(hold.token_id) : undefined;',
    to: 'const token = undefined;',
  },
  {
    name: 'a repeated credit is credited again',
    file: work,
    from: 'const entry = work.written.get(opKey) ?? state.done.get(opKey);',
    to: "const entry = opKey.startsWith('use') ? state.done.get(opKey) : undefined;",
  },
  {
    name: 'a code is taken and not credited',
    file: credits,
    from: '  user.available = after;\n  context',
    to: '  context',
  },
  { name: 'a correction takes more than is available', file: credits, from: 'after < 0 ||', to: '' },
];

const onTheWay: readonly Mutant[] = [
  {
    name: 'recovery gives back what was delivered',
    file: 'store/ledger/recover-holds.ts',
    from: 'if (hold.progress === 0) return',
    to: 'if (hold.progress >= 0) return',
  },
  {
    name: 'recovery charges the whole hold',
    file: 'store/ledger/recover-holds.ts',
    from: 'amount: hold.progress',
    to: 'amount: hold.amount',
  },
  {
    name: 'results of a batch reach the wrong requests',
    file: 'store/engine/posting-writer.ts',
    from: 'const result = results[index];',
    to: 'const result = results[results.length - 1 - index];',
  },
  {
    name: 'one faulty posting takes its batch with it',
    file: 'store/engine/posting-writer.ts',
    from: 'for (const unit of units) locked.push(...(await run([unit], 0)));',
    to: 'for (const unit of units) unit.reject(ended.error);',
  },
  {
    name: 'a settlement is given up as soon as a hold',
    file: 'store/engine/posting-queue.ts',
    from: 'waited > newWorkWaitMs && isNewWork(unit.posting)',
    to: 'waited > newWorkWaitMs',
  },
  {
    name: 'a settlement that met a full disk is not tried again',
    file: 'store/engine/sqlite/write-queue.ts',
    from: 'isFull(cause) && endsRequest(posting)',
    to: 'isFull(cause) && posting === undefined',
  },
  {
    name: 'results tell the balances from before their batch',
    file: 'store/ledger/apply-to-accounts.ts',
    from: 'const balances: Balances = { users,',
    to: 'const balances: Balances = { users: state.users,',
  },
];

/** Bugs of the money core that the simulation must find, each on its own. */
export const mutants: readonly Mutant[] = [...inMemory, ...unread, ...inTheBooks, ...onTheWay];

/** Those that show where nodes spend one balance in every order. */
export const ofOrders: ReadonlySet<string> = new Set([
  'what a node had in memory alone is charged, whatever others have spent',
  'what a node had in memory alone is charged to a key that has less',
  'a hold takes more than the account has',
  'a hold takes more than the token has',
  'a hold takes more than the budget has',
  'a settlement does not look for its hold',
  'a refused deferred hold ends its request unpaid',
  'a batch at once needs nothing of an account',
  'an ended hold is not given back',
]);
