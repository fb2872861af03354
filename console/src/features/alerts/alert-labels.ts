import type { AlertKind, AlertSubject, DestinationKind, Severity } from '@weir/contract/alerts/alerts';
import { formatQuota, formatTime } from '../../lib/format/format.ts';
import type { QuotaDisplay } from '../../lib/format/format.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

export const kindLabels: Readonly<Record<AlertKind, Message>> = {
  user_balance: m.alert_kind_user_balance,
  budget: m.alert_kind_budget,
  channel_disabled: m.alert_kind_channel_disabled,
  channel_errors: m.alert_kind_channel_errors,
  channel_latency: m.alert_kind_channel_latency,
  unpriced_model: m.alert_kind_unpriced_model,
  ledger_mismatch: m.alert_kind_ledger_mismatch,
  key_expires: m.alert_kind_key_expires,
  certificate_expires: m.alert_kind_certificate_expires,
  spend_anomaly: m.alert_kind_spend_anomaly,
};

/** What the threshold of a kind means; kinds without one are missing. */
export const thresholdLabels: Readonly<Partial<Record<AlertKind, Message>>> = {
  user_balance: m.alert_threshold_user_balance,
  budget: m.alert_threshold_budget,
  channel_errors: m.alert_threshold_channel_errors,
  channel_latency: m.alert_threshold_channel_latency,
  unpriced_model: m.alert_threshold_unpriced_model,
  key_expires: m.alert_threshold_key_expires,
  certificate_expires: m.alert_threshold_key_expires,
  spend_anomaly: m.alert_threshold_spend_anomaly,
};

export const severityLabels: Readonly<Record<Severity, Message>> = {
  warning: m.alert_severity_warning,
  critical: m.alert_severity_critical,
};

export const destinationLabels: Readonly<Record<DestinationKind, Message>> = {
  mail: m.alert_destination_mail,
  webhook: m.alert_destination_webhook,
  pusher: m.alert_destination_pusher,
  slack: m.alert_destination_slack,
  feishu: m.alert_destination_feishu,
  dingtalk: m.alert_destination_dingtalk,
  wecom: m.alert_destination_wecom,
  telegram: m.alert_destination_telegram,
};

/** The figure of a subject in its unit; empty where there is none. */
export const subjectValue = (
  kind: AlertKind,
  { value }: Pick<AlertSubject, 'value'>,
  t: Translate,
  display: QuotaDisplay,
): string => {
  switch (kind) {
    case 'user_balance':
    case 'spend_anomaly':
      return formatQuota(value, display);
    case 'budget':
    case 'channel_errors':
      return `${value}%`;
    case 'channel_latency':
      return `${value} ms`;
    case 'unpriced_model':
      return t(m.alert_calls, { count: value });
    case 'key_expires':
    case 'certificate_expires':
      return t(m.alert_until, { time: formatTime(value) });
    case 'ledger_mismatch':
      return String(value);
    case 'channel_disabled':
      return '';
  }
};
