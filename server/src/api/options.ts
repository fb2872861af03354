import { isOptionKey, listOptions, options as entries, updateOption, type OptionEntry } from '@weir/contract/options';
import { AppError } from '../errors.ts';
import { route, type Routes } from '../http/route.ts';
import { checkOption } from './option-check.ts';

export const optionRoutes = (routes: Routes): void => {
  const { audit, options } = routes.deps;

  route(routes, listOptions, async () => {
    const known = Object.entries<OptionEntry>(entries).filter(([, entry]) => entry.secret !== true);
    const rows = known.flatMap(([key]) => (isOptionKey(key) ? [{ key, value: options.text(key) }] : []));
    return { data: rows };
  });

  route(routes, updateOption, async ({ body: { key, value }, actor, request }) => {
    if (!isOptionKey(key)) throw new AppError('option_unknown', { key });
    const entry: OptionEntry = entries[key];
    // A form cannot show a secret, so an empty one means that nobody typed a new one.
    if (entry.secret === true && value === '') return {};
    await options.set(key, checkOption(key, value, options), (trx) =>
      audit.note(trx, { request, actor: actor.user, action: 'update_option', subject: key }),
    );
    return {};
  });
};
