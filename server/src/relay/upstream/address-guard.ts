import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isWithin, plainAddress, rangesOf } from '../../http/ranges.ts';

/** Which private addresses channels may name: all, none, or these CIDR ranges. */
export type PrivateUpstreams = 'allow' | 'deny' | readonly string[];

/** Decides by resolved address, at connect time, so that no name and no redirect gets around it. */
export interface AddressGuard {
  /** Whether a connection to this IP address is allowed. */
  allows(address: string): boolean;
  /** A resolver for sockets that fails when any address of the name is not allowed. */
  readonly lookup: LookupFunction;
}

/** A name or address that upstream requests must not reach. */
export class BlockedAddressError extends Error {
  constructor(host: string) {
    super(`the address of ${host} is not allowed for upstreams`);
    this.name = 'BlockedAddressError';
  }
}

/** Metadata services of cloud hosts give credentials to every program that reaches them: no setting opens them. */
const metadata = [
  '169.254.0.0/16',
  'fe80::/10',
  '100.100.100.200/32',
  '168.63.129.16/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  // The IPv4 ones inside IPv6 addresses, through NAT64 and 6to4 gateways.
  '64:ff9b::a9fe:0/112',
  '64:ff9b::6464:64c8/128',
  '64:ff9b::a83f:8110/128',
  '64:ff9b:1::/48',
  '2002:a9fe::/32',
  '2002:6464:64c8::/48',
  '2002:a83f:8110::/48',
];

/** Everything else that is not on the public internet (reliability notes E.8). */
const nonPublic = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  'fc00::/7',
  'ff00::/8',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '2001::/32',
];

export const createAddressGuard = (privateUpstreams: PrivateUpstreams): AddressGuard => {
  const never = rangesOf(metadata);
  const privateRanges = rangesOf(nonPublic);
  const opened = rangesOf(Array.isArray(privateUpstreams) ? privateUpstreams : []);
  const allows = (address: string): boolean => {
    if (isIP(plainAddress(address)) === 0 || isWithin(never, address)) return false;
    return privateUpstreams === 'allow' || !isWithin(privateRanges, address) || isWithin(opened, address);
  };
  const lookup: LookupFunction = (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, '', 0);
      if (addresses.length === 0 || !addresses.every(({ address }) => allows(address))) {
        return callback(new BlockedAddressError(hostname), '', 0);
      }
      const [first] = addresses;
      if (options.all === true) return callback(null, addresses);
      return callback(null, first?.address ?? '', first?.family);
    });
  };
  return { allows, lookup };
};
