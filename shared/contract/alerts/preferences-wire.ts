import { z } from 'zod';
import { type AlertPreferences, addressedChannels, channels, timings } from '#shared/domain/alerts/alert.ts';
import { type AlertMessage, dropReasons, type EntryFacts, messageStates } from '#shared/domain/alerts/entry.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { maxUrlLength } from '#shared/domain/webhooks/endpoint.ts';
import { parseBody } from '../input/parse-body.ts';
import { parseId } from '../input/parse-id.ts';
import type { RawParams } from '../operation.ts';

const hour = z.int().min(0).max(23);
const fields = {
  /** An IANA zone. */
  time_zone: z.string().min(1).max(64),
  digest_hour: hour,
  channels: z.array(z.enum(channels)).min(1).max(channels.length),
  timing: z.enum(timings),
  quiet: z
    .strictObject({ from: hour, to: hour })
    .refine(({ from, to }) => from !== to, { error: 'must end at another hour than it begins.' })
    .nullable(),
  /** True when an owner gets notices. */
  notices: z.boolean(),
  /** True when the member is notified of mentions and assignments. */
  mentions: z.boolean(),
  /** No mail at all. */
  mail_off: z.boolean(),
};

export const changePreferencesBody = z.strictObject(fields).partial();

export function parseChangePreferencesBody(body: unknown): Partial<AlertPreferences & { mailOff: boolean }> {
  const { time_zone, digest_hour, mail_off, ...same } = parseBody(changePreferencesBody, body);
  const update = { ...same, timeZone: time_zone, digestHour: digest_hour, mailOff: mail_off };
  const given = Object.entries(update).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw new LandfallError('validation_failed', 'Send at least one field.');
  return Object.fromEntries(given);
}

export const wirePreferences = z.strictObject({
  ...fields,
  /** The address that mail goes to: the one that the user signs in with. */
  email: z.string(),
  /** True when the installation has a mail server. */
  mail_available: z.boolean(),
  /** The channels that have an address. Only its host is shown. */
  addresses: z.array(z.strictObject({ channel: z.enum(addressedChannels), host: z.string() })),
});
export type WirePreferences = z.infer<typeof wirePreferences>;

type Shown = AlertPreferences & {
  mailOff: boolean;
  addressed: readonly { kind: (typeof addressedChannels)[number]; host: string }[];
};

export function toWirePreferences(shown: Shown, about: { email: string; hasMail: boolean }): WirePreferences {
  return {
    time_zone: shown.timeZone,
    digest_hour: shown.digestHour,
    channels: [...shown.channels],
    timing: shown.timing,
    quiet: shown.quiet,
    notices: shown.notices,
    mentions: shown.mentions,
    mail_off: shown.mailOff,
    email: about.email,
    mail_available: about.hasMail,
    addresses: shown.addressed.map(({ kind, host }) => ({ channel: kind, host })),
  };
}

export const channelParams = z.object({ channel: z.enum(addressedChannels) });

export function parseChannelParams(params: RawParams): z.output<typeof channelParams> {
  const { success, data } = channelParams.safeParse(params);
  if (!success) throw new LandfallError('validation_failed', `The channel must be ${addressedChannels.join(', ')}.`);
  return data;
}

export const setChannelBody = z.strictObject({ url: z.string().trim().min(1).max(maxUrlLength) });
/** `secret` signs webhooks and is not shown again. */
export const wireChannelSet = z.strictObject({ preferences: wirePreferences, secret: z.string().nullable() });

export const sendTrialBody = z.strictObject({ channel: z.enum(channels) });
export const wireTrial = z.strictObject({ message_id: z.string() });

export const wireAlertMessage = z.strictObject({
  id: z.string(),
  channel: z.enum(channels),
  timing: z.enum(timings),
  kind: z.enum(['changes', 'trial']),
  /** Number of its updates. */
  updates: z.number().int(),
  state: z.enum(messageStates),
  tries: z.number().int(),
  /** Reason why it was not sent, as a sentence. */
  reason: z.string().nullable(),
  created_at: z.iso.datetime(),
  sent_at: z.iso.datetime().nullable(),
});
export type WireAlertMessage = z.infer<typeof wireAlertMessage>;

export const messagesQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(25),
  before: z.string().max(40).optional(),
});
export const wireAlertMessages = z.strictObject({ data: z.array(wireAlertMessage), has_more: z.boolean() });

export const messageQuery = z.strictObject({
  limit: z.int().min(1).max(200).default(100),
  offset: z.int().min(0).max(1_000_000).default(0),
});
export const wireAlertMessageRecord = z.strictObject({
  message: wireAlertMessage,
  updates: z.array(
    z.strictObject({
      title: z.string(),
      detail: z.string().nullable(),
      lines: z.array(z.string()),
      /** A path of the dashboard. */
      path: z.string(),
      at: z.iso.datetime(),
    }),
  ),
});

const missingMessage = { prefix: 'msg', code: 'alert_message_not_found', detail: 'Message not found.' } as const;

export function parseMessageParams(params: RawParams): { messageId: string } {
  return { messageId: parseId(params, 'message_id', missingMessage) };
}

export function toWireMessage(message: AlertMessage): WireAlertMessage {
  const { id, entries, error, createdAt, sentAt, ...same } = message;
  return {
    ...same,
    id: encodeTypeId('msg', id),
    updates: entries,
    reason: error === null ? null : ((dropReasons as Record<string, string>)[error] ?? error),
    created_at: createdAt,
    sent_at: sentAt,
  };
}

export function toWireUpdate({ title, detail, lines, path, at }: EntryFacts) {
  return { title, detail, lines: [...lines], path, at };
}
