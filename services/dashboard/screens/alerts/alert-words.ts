import type { WireAlert, WireRules } from '#shared/contract/alerts/alert-wire.ts';
import type { Channel, Timing } from '#shared/domain/alerts/alert.ts';
import { statusWords } from '#shared/domain/words/status-words.ts';

export const channelWords: Record<Channel, string> = {
  email: 'E-mail',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  webhook: 'Webhook',
};

export const timingWords: Record<Timing, string> = {
  at_once: 'At once',
  hourly: 'Hourly digest',
  daily: 'Daily digest',
  weekdays: 'Daily digest, weekdays only',
};

/** The rules of an alert, a few words each. */
export function ruleWords(rules: WireRules): string[] {
  const count = (amount: number, unit: string) => `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  return [
    ...(rules.enters ? ['enters the view'] : []),
    ...(rules.leaves ? ['leaves the view'] : []),
    ...(rules.statuses
      ? [`reaches ${rules.statuses.map((status) => statusWords[status].toLowerCase()).join(', ')}`]
      : []),
    ...(rules.eta_moved_hours ? [`ETA moves by ${count(rules.eta_moved_hours, 'hour')} or more`] : []),
    ...(rules.exception ? ['an exception opens'] : []),
    ...(rules.failing_hours ? [`tracking fails for ${count(rules.failing_hours, 'hour')}`] : []),
    ...(rules.silent_days ? [`no new event for ${count(rules.silent_days, 'day')}`] : []),
    ...(rules.free_time_days ? [`free time ends within ${count(rules.free_time_days, 'day')}`] : []),
  ];
}

export function channelsText(channels: WireAlert['channels']): string {
  return channels.length === 0 ? 'Unsubscribed' : channels.map((channel) => channelWords[channel]).join(', ');
}

/** `07:00`. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

export const stateWords = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed', dropped: 'Not sent' } as const;
