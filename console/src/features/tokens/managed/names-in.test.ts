import { expect, test } from 'vitest';
import { namesIn } from './names-in.ts';

test('names come one on a line or separated by commas, each once', () => {
  expect(namesIn(' ann\nben,ann ; carl，李雷\r\n\n')).toEqual(['ann', 'ben', 'carl', '李雷']);
  expect(namesIn(' \n,')).toEqual([]);
});
