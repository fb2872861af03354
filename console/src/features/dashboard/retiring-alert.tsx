import { buttonClass } from '../../components/button.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { smallAction, What } from './alert-line.tsx';
import type { RetiringChannel } from './alerts.ts';

const namedMax = 3;

/** The models of a channel that its vendor ends; the form of the channel marks each, with what replaces it. */
export const Retiring = ({ channel: { id, name, models, more } }: { readonly channel: RetiringChannel }) => {
  const t = useT();
  const [first] = models;
  const rest = Math.max(0, models.length - namedMax) + more;
  const named = models.slice(0, namedMax).map(({ model, ends }) => t(m.dash_retiring_model, { model, day: ends }));
  const names = named.join(', ') + (rest > 0 ? ` ${t(m.dash_attention_more, { count: rest })}` : '');
  const alone = models.length === 1 && more === 0 ? first?.replacement : undefined;
  const text = alone
    ? t(m.dash_retiring_replacement, { name, names, replacement: alone })
    : t(m.dash_retiring, { name, names });
  const href = `/channel/edit/${id}`;
  return (
    <>
      <What href={href} text={text} />
      <a href={href} aria-label={`${t(m.dash_retiring_open)}: ${name}`} className={buttonClass('plain', smallAction)}>
        {t(m.dash_retiring_open)}
      </a>
    </>
  );
};
