import type { Status } from '../record/shipment.ts';
import type { StoredFilter } from './saved-view.ts';

/** Channels of a member's notifications. */
export const channels = ['email', 'slack', 'teams', 'webhook'] as const;
export type Channel = (typeof channels)[number];
/** Channels with an address that the member sets. E-mail goes to the address that they sign in with. */
export const addressedChannels = ['slack', 'teams', 'webhook'] as const;
export type AddressedChannel = (typeof addressedChannels)[number];

/** When a member is notified. Digests come by the clock of the member's time zone; `weekdays` is daily without weekends. */
export const timings = ['at_once', 'hourly', 'daily', 'weekdays'] as const;
export type Timing = (typeof timings)[number];

export const maxEtaHours = 720;
export const maxFailingHours = 720;
export const maxSilentDays = 90;
export const maxFreeTimeDays = 30;
/** Of one member and one mode. */
export const maxAlerts = 200;

/**
 * The rules that notify a member. Absent: the rule is off. Rules about one shipment apply to the shipments of the view, also when
 * the change takes them out of it.
 */
export type AlertRules = {
  /** A shipment enters the view. Not for an alert of one shipment. */
  enters?: true;
  leaves?: true;
  /** It reaches one of these statuses. */
  statuses?: readonly Status[];
  /** Its ETA moves by at least so many hours, in one change. */
  etaMovedHours?: number;
  exception?: true;
  /** Tracking has failed for so many hours. */
  failingHours?: number;
  /** Its last event is so many days old. */
  silentDays?: number;
  /** Its earliest open free time ends within so many days. */
  freeTimeDays?: number;
};

/** Rules that time alone can meet. */
export const timedRules = ['failingHours', 'silentDays', 'freeTimeDays'] as const satisfies (keyof AlertRules)[];
export type TimedRule = (typeof timedRules)[number];

/** Settings of an alert that a member chooses. */
export type AlertSettings = {
  rules: AlertRules;
  channels: readonly Channel[];
  timing: Timing;
  paused: boolean;
};

/** Either the shipments of a view or one shipment. */
export type AlertSubject =
  | { kind: 'view'; viewId: string; name: string }
  | { kind: 'shipment'; shipmentId: string; name: string };

/** An alert as its member sees it. Times are ISO UTC. */
export type Alert = AlertSettings & {
  id: string;
  subject: AlertSubject;
  createdAt: string;
  updatedAt: string;
};

/** An active alert as the feed is evaluated by it. */
export type StandingAlert = {
  id: string;
  userId: string;
  rules: AlertRules;
  channels: readonly Channel[];
  timing: Timing;
  /** Changes up to this sequence came before it. */
  fromSequence: number;
  subject:
    | { kind: 'view'; viewId: string; name: string; filter: StoredFilter | null }
    | { kind: 'shipment'; shipmentId: string };
};

/** A member's default settings of notifications, which an alert can override. */
export type AlertPreferences = {
  /** An IANA zone. */
  timeZone: string;
  /** When daily digests come, 0 to 23. */
  digestHour: number;
  /** Of new alerts, notices and mentions. */
  channels: readonly Channel[];
  /** Of new alerts and of mentions. */
  timing: Timing;
  /** Hours of the day between which nothing is sent immediately: 22 to 6 is the night. Null: none. */
  quiet: { from: number; to: number } | null;
  /** True when an owner gets notices. */
  notices: boolean;
  /** True when the member is notified of mentions in notes and of shipments assigned to them. */
  mentions: boolean;
};

export const newPreferences: AlertPreferences = {
  timeZone: 'UTC',
  digestHour: 7,
  channels: ['email'],
  timing: 'at_once',
  quiet: null,
  notices: true,
  mentions: true,
};
