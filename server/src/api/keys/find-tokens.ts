import { findKeysMax, findLeakedTokens } from '@weir/contract/managed-tokens';
import { outranks } from '@weir/contract/roles';
import { AppError } from '../../errors.ts';
import { route, type Routes } from '../../http/route.ts';
import { findTokensOfKeys } from '../../store/token-rolls.ts';
import { countWithin } from '../../store/users/attempts.ts';
import { maskedKey } from '../token-view.ts';

/** As often as an administrator may look, so that nothing can be searched through at the cost of the database. */
const rule = { max: 30, seconds: 60 } as const;

/** Keys of this gateway and of those that accounts are imported from, with or without `sk-` and a channel. */
const keysIn = (text: string): readonly string[] => [
  ...new Set(Array.from(text.matchAll(/(?<![0-9A-Za-z])[0-9A-Za-z]{48}(?![0-9A-Za-z])/g), ([key]) => key)),
];

/** Finds the owners of pasted keys. The text is in the body, and in no address, log or answer. */
export const findTokenRoutes = (routes: Routes, { clock }: { readonly clock: { now(): number } }): void => {
  const { audit, db, secrets } = routes.deps;

  route(routes, findLeakedTokens, async ({ body, actor, request }) => {
    const keys = keysIn(body.text);
    if (keys.length === 0) throw new AppError('token_text_without_key');
    if (keys.length > findKeysMax) throw new AppError('token_text_many_keys', { max: findKeysMax });
    const { user } = actor;
    const attempt = { subject: `find-token:${user.id}`, ...rule, now: Math.floor(clock.now() / 1000) };
    if (!(await countWithin(db.write, attempt))) throw new AppError('too_many_attempts');
    const pasted = new Map(keys.map((key) => [secrets.digest(key), maskedKey(key)]));
    const digests = [...pasted.keys()];
    const found = await findTokensOfKeys(db.read, digests);
    const rows = found.toSorted((one, other) => digests.indexOf(one.key_digest) - digests.indexOf(other.key_digest));
    await db.write.transaction().execute((trx) =>
      audit.noteAll(
        trx,
        rows.map(({ id }) => ({ request, actor: user, action: 'find_token', subject: `token ${id}` })),
      ),
    );
    return {
      data: rows.map(({ owner_role: role, key_digest: digest, ...row }) => ({
        ...row,
        key: pasted.get(digest) ?? '',
        manageable: row.deleted_time === 0 && (row.user_id === user.id || outranks(user.role, role)),
      })),
    };
  });
};
