import { expect, test } from 'vitest';
import { dayTableFor, type Dimension, totalsTableFor } from './log-sum-tables.ts';

test.each<{ table: string | undefined; filtered: Dimension[]; by?: Dimension }>([
  { table: 'log_days_of_all', filtered: [] },
  { table: 'log_days_of_models', filtered: [], by: 'model_name' },
  { table: 'log_days', filtered: [], by: 'channel_id' },
  { table: 'log_days_by_user_token', filtered: ['user_id'], by: 'token_name' },
  { table: 'log_days', filtered: ['channel_id'], by: 'model_name' },
  { table: 'log_days_of_tokens', filtered: [], by: 'token_name' },
  { table: 'log_days_of_users', filtered: [], by: 'user_id' },
  { table: 'log_days_by_token', filtered: ['token_name', 'channel_id'] },
  { table: 'log_days_by_user_model', filtered: ['user_id'] },
  { table: 'log_days_by_user', filtered: ['user_id', 'model_name'], by: 'token_name' },
  { table: 'log_days_by_user_model', filtered: ['user_id', 'model_name'] },
  { table: 'log_days_by_user_model', filtered: ['user_id'], by: 'model_name' },
  { table: 'log_days_by_user', filtered: ['user_id', 'channel_id'] },
  { table: undefined, filtered: ['model_name'], by: 'user_id' },
])('K13 LOG-06 $table is read for a filter of $filtered and sums by $by', ({ table, filtered, by }) => {
  expect(dayTableFor({ filtered: new Set(filtered), ...(by === undefined ? {} : { by }) })).toBe(table);
});

test.each<{ table: string | undefined; filtered: Dimension[] }>([
  { table: 'log_days_of_tokens', filtered: ['token_name'] },
  { table: 'log_days_of_users', filtered: ['user_id'] },
  { table: 'log_days_of_models', filtered: ['model_name'] },
  { table: 'log_days', filtered: ['channel_id'] },
  { table: 'log_days_by_user_token', filtered: ['user_id', 'token_name'] },
  { table: 'log_days_of_all', filtered: [] },
])('K13 LOG-06 the total of a filter of $filtered is read from $table', ({ table, filtered }) => {
  expect(totalsTableFor(new Set(filtered))).toBe(table);
});
