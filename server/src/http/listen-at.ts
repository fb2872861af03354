/** Host names of every address of a machine: the second one where it knows no IPv6. */
const everywhere = ['::', '0.0.0.0'] as const;

const knowsNoIpv6 = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(String(error.code));

/** Listens at `host`, or at every address: by IPv4 alone where there is no IPv6. */
export const listenAt = async (host: string | undefined, listen: (host: string) => Promise<unknown>): Promise<void> => {
  if (host !== undefined) return void (await listen(host));
  const [all, ipv4] = everywhere;
  try {
    await listen(all);
  } catch (error) {
    if (!knowsNoIpv6(error)) throw error;
    await listen(ipv4);
  }
};
