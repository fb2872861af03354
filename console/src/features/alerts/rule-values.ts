import { repeatMinutesMax, ruleFigures } from '@weir/contract/alerts/alerts';
import type { createAlertRule, AlertKind, AlertRule, Severity } from '@weir/contract/alerts/alerts';
import type { BodyInput } from '@weir/contract/endpoint';

export const figureNames = ['threshold', 'window_minutes', 'least'] as const;
export type FigureName = (typeof figureNames)[number];

/** A rule as it is typed. */
export interface RuleValues {
  readonly name: string;
  readonly kind: AlertKind;
  readonly severity: Severity;
  readonly enabled: boolean;
  readonly figures: Readonly<Record<FigureName, string>>;
  readonly repeat: string;
  readonly destinations: readonly number[];
}

/** The figures that a new rule of a kind begins with. */
export const initialFigures = (kind: AlertKind): RuleValues['figures'] => {
  const { threshold, window_minutes: window, least } = ruleFigures[kind];
  return {
    threshold: String(threshold?.initial ?? 0),
    window_minutes: String(window?.initial ?? 0),
    least: String(least?.initial ?? 0),
  };
};

export const valuesOf = (rule: AlertRule | undefined): RuleValues =>
  rule === undefined
    ? {
        name: '',
        kind: 'channel_errors',
        severity: 'warning',
        enabled: true,
        figures: initialFigures('channel_errors'),
        repeat: '0',
        destinations: [],
      }
    : {
        ...rule,
        figures: {
          threshold: String(rule.threshold),
          window_minutes: String(rule.window_minutes),
          least: String(rule.least),
        },
        repeat: String(rule.repeat_minutes),
      };

export const isWhole = (text: string, min: number, max: number): boolean =>
  /^\d{1,16}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;

/** The figures of the kind that are out of bounds. */
export const wrongFigures = ({ kind, figures }: Pick<RuleValues, 'kind' | 'figures'>): readonly FigureName[] =>
  figureNames.filter((name) => {
    const bounds = ruleFigures[kind][name];
    return bounds !== undefined && !isWhole(figures[name], bounds.min, bounds.max);
  });

export const isRepeatWrong = ({ repeat }: Pick<RuleValues, 'repeat'>): boolean => !isWhole(repeat, 0, repeatMinutesMax);

/** The request that stores what was typed. */
export const bodyOf = ({
  name,
  figures,
  repeat,
  destinations,
  ...rest
}: RuleValues): BodyInput<typeof createAlertRule> => ({
  name: name.trim(),
  kind: rest.kind,
  severity: rest.severity,
  enabled: rest.enabled,
  threshold: Number(figures.threshold),
  window_minutes: Number(figures.window_minutes),
  least: Number(figures.least),
  repeat_minutes: Number(repeat),
  destinations: [...destinations],
});
