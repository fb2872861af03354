import { useKey } from '../../src/store/ledger/accounts-state.ts';
import { endingOf } from '../../src/store/ledger/recover-holds.ts';
import type { HoldsTable } from '../../src/store/schema.ts';
import { runAllChoices, type Choose } from './choices.ts';
import {
  startOrderedProcess,
  type Amounts,
  type CallKind,
  type OrderedCall,
  type OrderedProcess,
} from './orders-process.ts';
import { brokenInvariants, simulateAccounts, type SimulatedAccounts } from './simulated-accounts.ts';

/** Nodes on PostgreSQL that spend one balance. */
export interface OrdersCase extends Amounts {
  /** The calls of each node, all of which have come when the order begins. */
  readonly nodes: readonly (readonly CallKind[])[];
  /** What bounds the calls: the balance of their account, of their key, or of a hard budget. */
  readonly bound: 'account' | 'token' | 'budget';
  /** Quota units of it. */
  readonly balance: number;
  /** Faults in one order, at most. */
  readonly faults: number;
}

export interface OrdersReport {
  readonly orders: number;
  /** The first order in which something was wrong, and what. Empty: there is none. */
  readonly broken: readonly string[];
}

interface Node {
  readonly name: string;
  /** Undefined: it died, and was not started again. */
  process: OrderedProcess | undefined;
  epoch: number;
  /** Of all its processes. */
  readonly calls: OrderedCall[];
  hasActed: boolean;
  hasWaited: boolean;
  /** Its holds were ended by others, as of a node that is taken for dead. */
  isTakenForDead: boolean;
}

interface Action {
  readonly text: string;
  readonly node: Node;
  readonly isFault: boolean;
  run(): Promise<void>;
}

const plenty = 1_000_000;

const accountsOf = ({ bound, balance }: OrdersCase) => {
  const nothing = { available: 0, held: 0, used: 0 };
  const amountOf = (subject: OrdersCase['bound']) => (subject === bound ? balance : plenty);
  const tokenLimited = bound === 'token';
  const token = { id: 1, user_id: 1, status: 1, unlimited_quota: tokenLimited ? 0 : 1 };
  const stored = simulateAccounts({
    users: [{ id: 1, ...nothing, request_count: 0 }],
    tokens: [{ ...token, ...nothing, accessed_time: 0, last_address: '' }],
    codes: [],
    periods: [{ id: 1, granted: amountOf('budget'), held: 0, used: 0 }],
  });
  const by = { userId: 1, actorId: 0, at: 0 };
  const total = amountOf('token');
  stored.post([
    { kind: 'credit', opKey: 'grant', entry: 'grant', amount: amountOf('account'), reason: '', log: null, ...by },
    { kind: 'allocate', opKey: 'first', tokenId: 1, total, unlimited: !tokenLimited, ...by },
  ]);
  const payer = { userId: 1, tokenId: 1, tokenLimited, ...(bound === 'budget' && { budgets: '1' }) };
  return { stored, payer };
};

const endingsOf = (holds: readonly HoldsTable[]) =>
  holds.map((hold) => endingOf({ ...hold, username: null, token_name: null }, 0, false));

const createNodes = (given: OrdersCase, onError: (error: unknown) => void) => {
  const { stored, payer } = accountsOf(given);
  const start = (node: Node): OrderedProcess => {
    node.epoch += 1;
    const process = startOrderedProcess({
      identity: { node: node.name, epoch: node.epoch },
      stored,
      payer,
      amounts: given,
      onError,
    });
    node.process = process;
    return process;
  };
  const nodes = given.nodes.map((_, index): Node => ({
    name: `node${index}`,
    process: undefined,
    epoch: 0,
    calls: [],
    hasActed: false,
    hasWaited: false,
    isTakenForDead: false,
  }));
  return { stored, start, nodes };
};

const holdsOf = (node: Node, { holds }: SimulatedAccounts): readonly HoldsTable[] =>
  [...holds.values()].filter((hold) => hold.node === node.name);

const isOver = ({ state }: OrderedCall): boolean => state === 'delivered' || state === 'refused' || state === 'dead';

const die = (node: Node): void => {
  node.process = undefined;
  for (const call of node.calls) if (!isOver(call)) call.state = 'dead';
};

/** What a process does by itself, unseen by others: no order of it and of what others do makes a difference. */
const ownActions = (node: Node, process: OrderedProcess): Action[] => {
  const open = process.calls.filter(({ state }) => state === 'open');
  const act = (text: string, run: () => Promise<void>): Action => ({ text, node, isFault: false, run });
  const actions = open.map((call) => act(`${call.requestId} is answered by its upstream`, () => process.answer(call)));
  if (!node.hasWaited && open.some(({ kind }) => kind === 'whole')) {
    const wait = () => {
      node.hasWaited = true;
      return process.waitLong();
    };
    actions.push(act(`${node.name} waits`, wait));
  }
  return actions;
};

/** What becomes of a batch that was sent. */
const sentActions = (node: Node, process: OrderedProcess): Action[] => {
  const act = (text: string, isFault: boolean, run: () => Promise<void>): Action => ({
    text: `${node.name} ${text}`,
    node,
    isFault,
    run,
  });
  return [
    act('commits', false, () => process.hear(process.write())),
    act('commits and loses the answer', true, () => {
      process.write();
      return process.hear({ kind: 'again' });
    }),
    act('commits, and dies before it hears', true, () => {
      process.write();
      die(node);
      return Promise.resolve();
    }),
  ];
};

type World = ReturnType<typeof createNodes>;

/** What others see of a node. */
const sharedActions = ({ stored, start }: World, node: Node): Action[] => {
  const { process } = node;
  if (process === undefined) {
    const restart = () => start(node).post(endingsOf(holdsOf(node, stored)));
    return [{ text: `${node.name} starts again`, node, isFault: false, run: restart }];
  }
  const actions = process.hasSent() ? sentActions(node, process) : [];
  const holds = holdsOf(node, stored);
  if (holds.length === 0 || node.epoch > 1) return actions;
  const end = () => {
    node.isTakenForDead = true;
    stored.post(endingsOf(holds), { node: 'other', epoch: 1 });
    return Promise.resolve();
  };
  return [...actions, { text: `others end the holds of ${node.name}`, node, isFault: true, run: end }];
};

/**
 * What may happen next. What a node does by itself comes directly behind what it did before: in every other place it would
 * make the same world. Of nodes that are alike, the first one begins.
 */
const nextActions = (world: World, given: OrdersCase, last: Node | undefined): Action[] => {
  const own: Action[] = [];
  if (last?.process !== undefined) {
    const { process } = last;
    own.push(...ownActions(last, process));
    const isRunning = last.calls.some((call) => !isOver(call));
    const stop = () => Promise.resolve(die(last));
    if (isRunning) own.push({ text: `${last.name} dies`, node: last, isFault: true, run: stop });
    if (!process.hasSent() && own.some(({ isFault }) => !isFault)) return own;
  }
  const begun = new Set<string>();
  const shared = world.nodes.flatMap((node, index) => {
    const kinds = JSON.stringify(given.nodes[index]);
    if (!node.hasActed && begun.has(kinds)) return [];
    if (!node.hasActed) begun.add(kinds);
    return sharedActions(world, node);
  });
  return [...own, ...shared];
};

const judgeCall = (
  call: OrderedCall,
  { node, stored, price }: { readonly node: Node; readonly stored: SimulatedAccounts; readonly price: number },
): string[] => {
  const { requestId, state } = call;
  const entry = stored.ledger.find(({ op_key }) => op_key === useKey(requestId));
  const charged = (entry?.amount ?? 0) + (entry?.unrecovered ?? 0);
  const expected = state === 'delivered' ? [price] : state === 'dead' ? [0, price] : [0];
  const faults: string[] = [];
  if (!isOver(call)) faults.push(`${requestId} has no end`);
  if (!expected.includes(charged)) faults.push(`${requestId} was ${state}, and charged ${charged}`);
  if ((entry?.unrecovered ?? 0) > 0 && !node.isTakenForDead)
    faults.push(`${requestId} was delivered without its whole price`);
  return faults;
};

const judge = ({ stored, nodes }: World, { bound, hold, price, balance }: OrdersCase, isCalm: boolean): string[] => {
  const faults = brokenInvariants(stored);
  for (const { request_id } of stored.holds.values()) faults.push(`the hold of ${request_id} was left open`);
  for (const node of nodes) for (const call of node.calls) faults.push(...judgeCall(call, { node, stored, price }));
  const calls = nodes.flatMap((node) => node.calls);
  const delivered = calls.filter(({ state }) => state === 'delivered').length;
  const least = Math.min(calls.length, Math.floor(balance / hold));
  if (isCalm && delivered < least) faults.push(`${delivered} calls were delivered, ${least} could be paid`);
  const charged = stored.ledger.filter(({ kind }) => kind === 'use').reduce((sum, { amount }) => sum + amount, 0);
  // What others gave back and spent is missing for the answer that had reserved it: its account pays beyond its key or budget.
  const mayExceed = bound !== 'account' && nodes.some(({ isTakenForDead }) => isTakenForDead);
  if (charged > balance && !mayExceed) faults.push(`${charged} of ${balance} was charged`);
  return faults;
};

const runOrder = async (given: OrdersCase, choose: Choose) => {
  const faults: string[] = [];
  const done: string[] = [];
  const world = createNodes(given, (error) => void faults.push(String(error)));
  for (const [index, node] of world.nodes.entries()) {
    const process = world.start(node);
    for (const [at, kind] of (given.nodes[index] ?? []).entries()) await process.receive(`${kind}${index}${at}`, kind);
    node.calls.push(...process.calls);
  }
  let faultsLeft = given.faults;
  /** False: what a dead node held became free only later, so a call that could be paid at the end may have been refused. */
  let isCalm = true;
  let last: Node | undefined;
  for (;;) {
    const actions = nextActions(world, given, last).filter(({ isFault }) => !isFault || faultsLeft > 0);
    const action = actions.length === 0 ? undefined : actions[choose(actions.length)];
    if (action === undefined) break;
    done.push(action.text);
    if (action.isFault) faultsLeft -= 1;
    await action.run();
    action.node.hasActed = true;
    const { node } = action;
    if (node.process === undefined || node.isTakenForDead) isCalm = false;
    last = node;
  }
  faults.push(...judge(world, given, isCalm));
  return { done, faults };
};

/** Runs every order of what nodes and their database do, until one of them shows a fault. */
export const runAllOrders = async (given: OrdersCase): Promise<OrdersReport> => {
  let orders = 0;
  let broken: readonly string[] = [];
  await runAllChoices(async (choose) => {
    orders += 1;
    try {
      const { done, faults } = await runOrder(given, choose);
      if (faults.length > 0) broken = [...faults, ...done];
    } catch (error) {
      broken = [String(error)];
    }
    return broken.length === 0;
  });
  return { orders, broken };
};
