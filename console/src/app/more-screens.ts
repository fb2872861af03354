import { alertsSearch } from '../features/alerts/alerts-search.ts';
import { auditSearch } from '../features/audit/audit-search.ts';
import { billsSearch } from '../features/bills/bills-search.ts';
import { budgetsSearch } from '../features/budgets/budgets-search.ts';
import { marginsSearch } from '../features/margins/margins-search.ts';
import { nodesSearch } from '../features/nodes/nodes-search.ts';
import { ratesSearch } from '../features/rates/rates-search.ts';
import { runsSearch } from '../features/runs/runs-search.ts';
import { statementSearch } from '../features/statements/statement-search.ts';
import { teamsSearch } from '../features/teams/teams-search.ts';
import { managedSearch } from '../features/tokens/managed/managed-search.ts';
import { invitationsSearch } from '../features/users/invitations/invitations-search.ts';
import { m } from '../paraglide/messages.js';
import type { LoadScreen, Screen } from './screen.ts';

const rateForm: LoadScreen = async () => (await import('../features/rates/rate-form-screen.tsx')).RateFormScreen;
const budgetForm: LoadScreen = async () =>
  (await import('../features/budgets/budget-form-screen.tsx')).BudgetFormScreen;
const presetForm: LoadScreen = async () =>
  (await import('../features/tokens/presets/preset-form-screen.tsx')).PresetFormScreen;
const managedList: LoadScreen = async () =>
  (await import('../features/tokens/managed/managed-screen.tsx')).ManagedScreen;
const managedForm: LoadScreen = async () =>
  (await import('../features/tokens/managed/managed-form-screen.tsx')).ManagedFormScreen;

/** Screens of this server alone: the specification has none of them. */
export const moreScreens: readonly Screen[] = [
  {
    path: '/audit',
    access: 'admin',
    optional: true,
    search: auditSearch,
    nav: { title: m.audit_title, icon: 'file', folded: true },
    load: async () => (await import('../features/audit/audit-screen.tsx')).AuditScreen,
  },
  {
    path: '/node',
    access: 'admin',
    optional: true,
    search: nodesSearch,
    nav: { title: m.node_title, icon: 'device', folded: true },
    load: async () => (await import('../features/nodes/nodes-screen.tsx')).NodesScreen,
  },
  {
    path: '/key',
    access: 'public',
    optional: true,
    load: async () => (await import('../features/tokens/holder/holder-screen.tsx')).HolderScreen,
  },
  {
    path: '/budget',
    access: 'user',
    optional: true,
    search: budgetsSearch,
    nav: { title: m.budget_title, icon: 'wallet', folded: true },
    load: async () => (await import('../features/budgets/budgets-screen.tsx')).BudgetsScreen,
  },
  { path: '/budget/add', access: 'user', optional: true, over: '/budget', search: budgetsSearch, load: budgetForm },
  {
    path: '/budget/edit/:id',
    access: 'user',
    optional: true,
    over: '/budget',
    search: budgetsSearch,
    load: budgetForm,
  },
  {
    path: '/statement',
    access: 'user',
    optional: true,
    search: statementSearch,
    nav: { title: m.statement_title, icon: 'calendar', folded: true },
    load: async () => (await import('../features/statements/statement-screen.tsx')).StatementScreen,
  },
  {
    path: '/user/tokens/:id',
    access: 'admin',
    optional: true,
    search: managedSearch,
    load: managedList,
  },
  {
    path: '/user/tokens/:id/add',
    access: 'admin',
    optional: true,
    over: '/user/tokens/:id',
    search: managedSearch,
    load: managedForm,
  },
  {
    path: '/user/tokens/:id/edit/:token',
    access: 'admin',
    optional: true,
    over: '/user/tokens/:id',
    search: managedSearch,
    load: managedForm,
  },
  {
    path: '/user/find-key',
    access: 'admin',
    optional: true,
    load: async () => (await import('../features/tokens/managed/find-screen.tsx')).FindScreen,
  },
  {
    path: '/user/new-keys',
    access: 'admin',
    optional: true,
    load: async () => (await import('../features/tokens/managed/many-screen.tsx')).ManyScreen,
  },
  {
    path: '/invitation',
    access: 'admin',
    optional: true,
    search: invitationsSearch,
    nav: { title: m.invitation_title, icon: 'gift', folded: true },
    load: async () => (await import('../features/users/invitations/invitations-screen.tsx')).InvitationsScreen,
  },
  {
    path: '/invitation/add',
    access: 'admin',
    optional: true,
    over: '/invitation',
    search: invitationsSearch,
    load: async () => (await import('../features/users/invitations/invitation-form-screen.tsx')).InvitationFormScreen,
  },
  {
    path: '/key-preset',
    access: 'admin',
    optional: true,
    search: managedSearch,
    nav: { title: m.preset_title, icon: 'key', folded: true },
    load: async () => (await import('../features/tokens/presets/presets-screen.tsx')).PresetsScreen,
  },
  {
    path: '/key-preset/add',
    access: 'admin',
    optional: true,
    over: '/key-preset',
    search: managedSearch,
    load: presetForm,
  },
  {
    path: '/key-preset/edit/:id',
    access: 'admin',
    optional: true,
    over: '/key-preset',
    search: managedSearch,
    load: presetForm,
  },
  {
    path: '/team',
    access: 'user',
    optional: true,
    search: teamsSearch,
    nav: { title: m.team_title, icon: 'users', folded: true },
    load: async () => (await import('../features/teams/teams-screen.tsx')).TeamsScreen,
  },
  {
    path: '/team/add',
    access: 'admin',
    optional: true,
    over: '/team',
    search: teamsSearch,
    load: async () => (await import('../features/teams/team-form-screen.tsx')).TeamFormScreen,
  },
  {
    path: '/team/:id',
    access: 'user',
    optional: true,
    load: async () => (await import('../features/teams/team-screen.tsx')).TeamScreen,
  },
  { path: '/team/tokens/:id', access: 'user', optional: true, search: managedSearch, load: managedList },
  {
    path: '/team/tokens/:id/add',
    access: 'user',
    optional: true,
    over: '/team/tokens/:id',
    search: managedSearch,
    load: managedForm,
  },
  {
    path: '/team/tokens/:id/edit/:token',
    access: 'user',
    optional: true,
    over: '/team/tokens/:id',
    search: managedSearch,
    load: managedForm,
  },
  {
    path: '/run',
    access: 'user',
    optional: true,
    search: runsSearch,
    nav: { title: m.run_title, icon: 'play', folded: true },
    load: async () => (await import('../features/runs/runs-screen.tsx')).RunsScreen,
  },
  {
    path: '/run/:id',
    access: 'user',
    optional: true,
    load: async () => (await import('../features/runs/run-screen.tsx')).RunScreen,
  },
  {
    path: '/rate-limit',
    access: 'admin',
    optional: true,
    search: ratesSearch,
    nav: { title: m.rate_title, icon: 'filter', folded: true },
    load: async () => (await import('../features/rates/rates-screen.tsx')).RatesScreen,
  },
  {
    path: '/rate-limit/add',
    access: 'admin',
    optional: true,
    over: '/rate-limit',
    search: ratesSearch,
    load: rateForm,
  },
  {
    path: '/rate-limit/edit/:id',
    access: 'admin',
    optional: true,
    over: '/rate-limit',
    search: ratesSearch,
    load: rateForm,
  },
  {
    path: '/alert',
    access: 'admin',
    optional: true,
    search: alertsSearch,
    nav: { title: m.alert_title, icon: 'alert', folded: true },
    load: async () => (await import('../features/alerts/alerts-screen.tsx')).AlertsScreen,
  },
  {
    path: '/margin',
    access: 'admin',
    optional: true,
    search: marginsSearch,
    load: async () => (await import('../features/margins/margins-screen.tsx')).MarginsScreen,
  },
  {
    path: '/bill',
    access: 'admin',
    optional: true,
    search: billsSearch,
    load: async () => (await import('../features/bills/bills-screen.tsx')).BillsScreen,
  },
  {
    path: '/bill/import',
    access: 'admin',
    optional: true,
    over: '/bill',
    search: billsSearch,
    load: async () => (await import('../features/bills/import-screen.tsx')).ImportScreen,
  },
];
