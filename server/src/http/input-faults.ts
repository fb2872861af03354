import * as v from 'valibot';
import type { Fault, FaultCode } from '../errors.ts';

type Issue = v.BaseIssue<unknown>;

/** Enough for a person to go on with. */
const faultsMax = 3;

/** Our word for what a schema objects to. */
const codeOf = ({ kind, type, received }: Issue): FaultCode => {
  if (kind === 'schema') return received === 'undefined' ? 'missing' : 'wrong_type';
  switch (type) {
    case 'min_value':
      return 'too_small';
    case 'max_value':
      return 'too_large';
    case 'raw_check':
      return 'too_long';
    case 'safe_integer':
      return 'not_whole';
    case 'finite':
      return 'not_a_number';
    default:
      return 'malformed';
  }
};

/** What is wrong with an input, for people of either language: the first few members and a word for each. */
export const inputFaults = (issues: readonly Issue[]): readonly Fault[] =>
  issues.slice(0, faultsMax).map((issue) => ({
    member: v.getDotPath(issue) ?? 'body',
    code: codeOf(issue),
    limit: issue.expected?.replace(/^[<>]=?/, '') ?? '',
  }));
