import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { callSeconds, callSecondsMax, isCallSeconds } from './config-values.ts';
import { readChannelConfig } from './channel-config.ts';

describe('the config of a channel', () => {
  test('RELAY-05 sets nothing if empty, and keeps the members of vendors and other gateways', () => {
    expect(readChannelConfig(' ')).toEqual({ kind: 'config', config: {} });
    const others = { region: 'eu-west-1', first_byte_seconds: 5, total_seconds: callSecondsMax, multi_key: true };
    expect(readChannelConfig(JSON.stringify(others))).toEqual({ kind: 'config', config: others });
  });

  test('RELAY-05 names the member that is wrong', () => {
    for (const text of ['{', '[]', '1', 'null', '"x"'])
      expect(readChannelConfig(text), text).toEqual({ kind: 'no_object' });
    const wrong = [
      ['first_byte_seconds', 0],
      ['idle_seconds', 1.5],
      ['idle_seconds', '60'],
      ['total_seconds', callSecondsMax + 1],
      ['multi_key', 1],
      ['affinity', null],
      ['cost_factor', 10.5],
      ['cost_factor', -1],
      ['cost_factor', '0,8'],
      ['cost_factor', '10.000000001'],
      ['cost_factor', true],
    ] as const;
    for (const [member, value] of wrong) {
      const read = readChannelConfig(JSON.stringify({ region: 1, [member]: value }));
      expect(read.kind === 'fault' && read.issues.map((issue) => v.getDotPath(issue))).toEqual([member]);
    }
  });

  test('takes a multiple of the list price as a number or as decimal text', () => {
    for (const cost_factor of [0, 1, 0.8, 10, '0', '0.8', '10', '0.123456789'])
      expect(readChannelConfig(JSON.stringify({ cost_factor })).kind, String(cost_factor)).toBe('config');
  });

  test('RELAY-05 a form validates times as they are when they arrive', () => {
    for (const value of [1, 60, callSecondsMax, 0, -1, 1.5, callSecondsMax + 1, Number.NaN, '60', null, true]) {
      for (const name of Object.keys(callSeconds)) {
        const { kind } = readChannelConfig(JSON.stringify({ [name]: value }));
        expect(kind === 'config', `${name} ${value}`).toBe(isCallSeconds(value));
      }
    }
  });
});
