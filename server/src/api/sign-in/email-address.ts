import { domainToASCII } from 'node:url';
import { emailMax } from '@weir/contract/registration';
import { AppError } from '../../errors.ts';
import type { Options } from '../../store/options.ts';

/** The unquoted form of RFC 5321: no quotes, no blanks, no comments, no second @. */
const local = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Letters and digits of any language; `domainToASCII` would cut an address off at the marks of a URL. */
const nameOfDomain = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u;

/** A domain as mail servers know it: lower case, international names encoded. Empty: invalid. */
const plainDomain = (text: string): string => (nameOfDomain.test(text) ? domainToASCII(text.toLowerCase()) : '');

/** An address in the one form in which it is stored and compared; undefined: no mail can be sent to it. */
export const readEmailAddress = (text: string): string | undefined => {
  const [name = '', host = '', ...rest] = text.trim().split('@');
  const plain = `${name.toLowerCase()}@${plainDomain(host)}`;
  const isAddress = rest.length === 0 && local.test(name) && domain.test(plainDomain(host));
  return isAddress && [...plain].length <= emailMax ? plain : undefined;
};

/** The same for the address of an account: throws if it is not one, or if the options do not accept it. */
export const acceptEmailAddress = (text: string, options: Pick<Options, 'get'>): string => {
  const address = readEmailAddress(text);
  if (address === undefined) throw new AppError('invalid_parameter');
  const [name = '', host = ''] = address.split('@');
  const accepted = options.get('EmailDomainWhitelist').map((entry) => plainDomain(entry.trim().replace(/^@/, '')));
  if (options.get('EmailDomainRestrictionEnabled') && !accepted.includes(host)) {
    throw new AppError('email_domain_refused');
  }
  if (options.get('EmailAliasRestrictionEnabled') && name.includes('+')) throw new AppError('email_alias_refused');
  return address;
};
