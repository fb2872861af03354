import type { ModelFacts } from '@weir/contract/catalogue/model-facts';
import { retiringDays } from '@weir/contract/models';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Badge } from './badge.tsx';

const abilityNames: Record<NonNullable<ModelFacts['can']>[number], Message> = {
  tools: m.model_can_tools,
  vision: m.model_can_vision,
  reasoning: m.model_can_reasoning,
  pdf: m.model_can_pdf,
  cache: m.model_can_cache,
  json_schema: m.model_can_json_schema,
};

/** Abilities as words. */
export const useAbilities = (): ((can: ModelFacts['can']) => string) => {
  const t = useT();
  return (can = []) => can.map((ability) => t(abilityNames[ability])).join(', ');
};

/** `1M`, `200k`, `8,192`: limits are given as vendors state them. */
export const formatTokens = (tokens: number): string => {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(2))}M`;
  return tokens >= 10_000 ? `${Math.round(tokens / 1000)}k` : tokens.toLocaleString('en');
};

const dayMs = 86_400_000;

/** Whether a day is past, or within the days in which a model counts as retiring. */
export const endOf = (ends: string, now = Date.now()): 'past' | 'soon' | 'later' => {
  const left = Date.parse(ends) - now;
  if (left <= 0) return 'past';
  return left <= retiringDays * dayMs ? 'soon' : 'later';
};

const endTexts = { past: m.model_ended, soon: m.model_ends, later: m.model_ends } as const;
const endTones = { past: 'bad', soon: 'warn', later: 'off' } as const;

/** The day on which the vendor ends a model. */
export const ModelEnd = ({ ends }: { readonly ends: string }) => {
  const t = useT();
  const when = endOf(ends);
  return <Badge tone={endTones[when]}>{t(endTexts[when], { day: ends })}</Badge>;
};
