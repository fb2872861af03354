import { expect, test } from 'vitest';
import { listenAt } from './listen-at.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

/** A machine whose addresses fail with these codes, and a list of the addresses tried. */
const createMachine = (failures: Readonly<Record<string, string>>) => {
  const tried: string[] = [];
  const listen = async (host: string): Promise<void> => {
    tried.push(host);
    const code = failures[host];
    if (code !== undefined) throw failure(code);
  };
  return { listen, tried };
};

test('listens at every address, by IPv4 alone where the machine knows no IPv6', async () => {
  const modern = createMachine({});
  await listenAt(undefined, modern.listen);
  expect(modern.tried).toEqual(['::']);
  for (const code of ['EAFNOSUPPORT', 'EADDRNOTAVAIL']) {
    const old = createMachine({ '::': code });
    await listenAt(undefined, old.listen);
    expect(old.tried).toEqual(['::', '0.0.0.0']);
  }
});

test('a configured address is the only one tried, and a port in use is no reason to try another', async () => {
  const machine = createMachine({ '::1': 'EADDRNOTAVAIL', '::': 'EADDRINUSE' });
  await expect(listenAt('::1', machine.listen)).rejects.toThrow('EADDRNOTAVAIL');
  await expect(listenAt(undefined, machine.listen)).rejects.toThrow('EADDRINUSE');
  expect(machine.tried).toEqual(['::1', '::']);
});
