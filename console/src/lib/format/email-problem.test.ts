import { expect, test } from 'vitest';
import { emailProblem } from './email-problem.ts';

test('C46 finds an address that no mail can reach, before anything is sent', () => {
  for (const typed of ['ada', 'ada@', '@example.com', 'ada@example', 'ada@example.', 'a da@example.com', 'a@b@c.de'])
    expect(emailProblem(typed), typed).toBe('invalid');
  expect(emailProblem(`${'a'.repeat(50)}@example.com`)).toBe('invalid');
  expect(emailProblem('  ')).toBe('empty');
  for (const typed of [' ada@example.com ', 'ada+1@mail.example.co', '小明@例子.测试', "o'neil@example.com"])
    expect(emailProblem(typed), typed).toBeUndefined();
});
