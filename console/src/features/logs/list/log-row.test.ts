import { emptyLog, type Log } from '@weir/contract/logs';
import { expect, test } from 'vitest';
import { toRows } from './log-row.ts';

const log: Log = {
  ...emptyLog,
  user_id: 2,
  created_at: 1_795_243_000,
  type: 2,
  content: 'ratio: 1.00',
  username: 'user1',
  token_name: 'Production',
  model_name: 'gpt-4o',
  quota: 100,
  prompt_tokens: 5,
  completion_tokens: 6,
};

test('LOG-04 own rows that all have the id 0 get different ids, which stay the same on the next read', () => {
  const page = [log, { ...log, quota: 101 }, log, { ...log, created_at: 1 }];
  const ids = toRows(page).map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(ids.every((id) => Number.isSafeInteger(id) && id < 0)).toBe(true);
  expect(toRows(page).map(({ id }) => id)).toEqual(ids);
  expect(toRows([{ ...log, quota: 101 }])[0]?.id).toBe(ids[1]);
});

test('LOG-03 a real id stays, and the raw record is kept', () => {
  const [row] = toRows([{ ...log, id: 41 }]);
  expect(row?.id).toBe(41);
  expect(row?.wire).toEqual({ ...log, id: 41 });
});

test('LOG-03 members that another server leaves out or sends as null do not break the list', () => {
  expect(toRows([{ id: 0, created_at: 7, type: 2, request_id: null, quota: 3 }])[0]).toMatchObject({
    created_at: 7,
    quota: 3,
    request_id: '',
    token_name: '',
    elapsed_time: 0,
    is_stream: false,
  });
  expect(toRows(null)).toEqual([]);
});
