import type { PricedModel, PricedModels } from '@weir/contract/prices/own-prices';
import { changeText, dollarText, exactToDecimal } from '../../../lib/format/exact.ts';
import type { Exact } from '../../../lib/format/exact.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { amountOf, groupAmount, ratiosOf } from './compare.ts';
import type { PriceFormState } from './use-price-form.ts';

interface MarginsProps {
  readonly model: PricedModel;
  readonly facts: PricedModels;
  readonly form: PriceFormState;
}

const cell = 'border-b border-line py-1 pl-3 text-right whitespace-nowrap tabular-nums first:pl-0 first:text-left';
const ratioPlaces = 12;

/** What each group would pay with the typed price, how far that is from the list price, and the price as ratios. */
export const Margins = ({ model, facts, form }: MarginsProps) => {
  const t = useT();
  const { scope } = form;
  const card = form.card();
  const [input, output] = [amountOf(card, 'input'), amountOf(card, 'output')];
  const [listInput, listOutput] = [amountOf(model.list?.card, 'input'), amountOf(model.list?.card, 'output')];
  const ratios = ratiosOf(card, facts.quota_per_dollar);
  if (input === undefined || output === undefined) return null;
  const text = (amount: Exact, list: Exact | undefined): string => {
    const change = list && changeText(amount, list);
    return dollarText(amount) + (change === undefined ? '' : ` (${change})`);
  };
  const groups = facts.groups.filter(({ name }) => scope.group === '' || name === scope.group);
  return (
    <section aria-label={t(m.price_margins)} className="flex flex-col gap-2 border-t border-line pt-3">
      <h3 className="text-13 font-medium">{t(m.price_margins)}</h3>
      <div className="overflow-x-auto">
        <table className="w-full border-collapse text-13">
          <thead className="text-12 text-mute">
            <tr>
              {[m.price_group_name, m.price_group_ratio, m.price_pays_input, m.price_pays_output].map((word) => (
                <th key={t(word)} scope="col" className={`${cell} font-medium`}>
                  {t(word)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, ratio }) => (
              <tr key={name}>
                <td className={`${cell} max-w-32 truncate`}>{name}</td>
                <td className={cell}>{scope.group === '' ? `× ${ratio}` : '—'}</td>
                <td className={cell}>{text(groupAmount(input, ratio, scope), listInput)}</td>
                <td className={cell}>{text(groupAmount(output, ratio, scope), listOutput)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {ratios && (
        <p className="text-12 text-mute tabular-nums">
          {t(m.price_as_ratios, {
            model: exactToDecimal(ratios.model, ratioPlaces),
            completion: exactToDecimal(ratios.completion, ratioPlaces),
          })}
        </p>
      )}
    </section>
  );
};
