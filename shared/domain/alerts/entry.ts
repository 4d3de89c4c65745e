import type { Channel, Timing } from './alert.ts';

/** Content of one entry of a message, in plain text. Its caller escapes it. */
export type EntryFacts = {
  /** Subject of the entry: `MSKU 123456 5`. */
  title: string;
  /** Reference, carrier and way of a shipment. Null: nothing more is known. */
  detail: string | null;
  /** Events of the entry, the most important first. */
  lines: readonly string[];
  /** Target of the title, as a path of the dashboard. */
  path: string;
  /** When it happened, ISO UTC. */
  at: string;
};

/** Mails have one server for all; posts go to an address each. Neither waits for the other. */
export type Lane = 'mails' | 'posts';

/** One update for one member on one channel, once for each `key`. */
export type NewEntry = {
  userId: string;
  channel: Channel;
  /** `chg_…` of a change, `note_…` of a note, or what happened otherwise. */
  key: string;
  timing: Timing;
  /** Epoch milliseconds. */
  dueAtMs: number;
  /** The alerts that it comes from. Empty: a notice, a mention or an assignment. */
  alertIds: readonly string[];
  shipmentId: string | null;
  facts: EntryFacts;
};

/** A message shows so many entries, then only how many more there are. */
export const maxListed = 20;
export const maxTitle = 120;
export const maxLine = 300;
/** Of one entry: a change may enter hundreds of a member's views. */
export const maxLines = 8;

export const messageStates = ['waiting', 'sent', 'failed', 'dropped'] as const;
/** `dropped`: nobody can receive it by that channel any more. */
export type MessageState = (typeof messageStates)[number];

/** Reasons for dropping a message. Codes of `DeliveryError` and of SMTP are stored beside them as texts. */
export const dropReasons = {
  no_smtp: 'This installation has no mail server (SMTP_URL).',
  no_channel: 'The channel has no address any more.',
  not_a_member: 'The recipient is no longer a member of the account.',
  mail_off: 'The recipient has turned e-mail off.',
  removed: 'The shipments were removed before the message could be sent.',
  restored: 'It waited when the backup was taken from which this installation was restored.',
  secret_unreadable: 'The address cannot be decrypted with the keys of this installation. Set it again.',
} as const;
export type DropReason = keyof typeof dropReasons;

/** A message to one member. Times are ISO UTC. */
export type AlertMessage = {
  id: string;
  channel: Channel;
  timing: Timing;
  kind: 'changes' | 'trial';
  entries: number;
  state: MessageState;
  tries: number;
  error: string | null;
  createdAt: string;
  sentAt: string | null;
};
