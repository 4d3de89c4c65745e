import {
  type AddressedChannel,
  type AlertPreferences,
  type Channel,
  newPreferences,
} from '#shared/domain/alerts/alert.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { isTimezone } from '#shared/domain/instant-of.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import {
  deleteChannel,
  ensurePeople,
  type MemberPreferences,
  putChannel,
  readChannels,
  readPeople,
  updatePerson,
} from '#shared/store/alerts/alert-preferences.ts';
import { insertTrial } from '#shared/store/alerts/messages.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { newMailToken } from '../notices/mail-token.ts';
import { webhookSendingOf } from '../webhooks/webhook-sending.ts';
import { sealChannel } from './channel-secrets.ts';
import { personOf } from './saved-views.ts';

/** The member's preferences, and the channels that have an address. */
export type ShownPreferences = AlertPreferences & {
  mailOff: boolean;
  addressed: { kind: AddressedChannel; host: string }[];
};

export function readPreferences(ctx: CoreContext, caller: Caller): Promise<ShownPreferences> {
  return withAccount(ctx.store, caller.accountId, (tx) => show(tx, caller));
}

/** Throws LandfallError `validation_failed` for an unknown time zone or a channel without an address. */
export function changePreferences(
  ctx: CoreContext,
  caller: Caller,
  update: Partial<AlertPreferences & { mailOff: boolean }>,
): Promise<ShownPreferences> {
  if (update.timeZone !== undefined && !isTimezone(update.timeZone))
    throw invalid('/time_zone', 'time_zone is not a known IANA time zone, such as Europe/Berlin.');
  return withAccount(ctx.store, caller.accountId, async (tx) => {
    await ensurePerson(tx, caller);
    const { addressed, ...before } = await show(tx, caller);
    const missing = (update.channels ?? []).filter(
      (channel) => channel !== 'email' && !addressed.some(({ kind }) => kind === channel),
    );
    if (missing.length > 0) throw invalid('/channels', `Set an address first for ${missing.join(', ')}.`);
    await updatePerson(tx, caller.accountId, { ...before, ...update, userId: personOf(caller) });
    return show(tx, caller);
  });
}

/**
 * Sets the address of a channel, which is not shown again, and for a webhook makes the secret that signs. Throws
 * LandfallError `validation_failed` for an address that is refused, or `invalid_state` if the installation cannot store
 * secrets.
 */
export async function setChannel(
  ctx: CoreContext,
  caller: Caller,
  { kind, url }: { kind: AddressedChannel; url: string },
): Promise<ShownPreferences & { secret: string | null }> {
  const refusal = await webhookSendingOf(ctx).checkAddress(url, { test: caller.test });
  if (refusal !== null) throw invalid('/url', refusal.detail, refusal.code);
  const { accountId } = caller;
  const id = newId(ctx);
  const { plainSecret, ...sealed } = await sealChannel(ctx, { accountId, id }, { kind, url });
  return withAccount(ctx.store, accountId, async (tx) => {
    await ensurePerson(tx, caller);
    const { host } = new URL(url);
    await putChannel(tx, accountId, { id, userId: personOf(caller), kind, host, ...sealed });
    await audit(tx, caller, { action: 'channel_set', detail: { channel: kind, host } });
    return { ...(await show(tx, caller)), secret: plainSecret };
  });
}

/** Forgets the address of a channel. What waits for it is dropped. Idempotent. */
export function removeChannel(ctx: CoreContext, caller: Caller, kind: AddressedChannel): Promise<void> {
  const { accountId } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    if (!(await deleteChannel(tx, accountId, { userId: personOf(caller), kind }))) return;
    const { addressed: _addressed, ...before } = await show(tx, caller);
    const channels = before.channels.filter((channel) => channel !== kind);
    await updatePerson(tx, accountId, {
      ...before,
      channels: channels.length === 0 ? ['email'] : channels,
      userId: personOf(caller),
    });
    await audit(tx, caller, { action: 'channel_removed', detail: { channel: kind } });
  });
}

/** Puts a message into the outbox that says only that the channel works, unless one waits there. Returns its id. */
export function sendTrial(ctx: CoreContext, caller: Caller, channel: Channel): Promise<string> {
  const { accountId, test } = caller;
  const id = newId(ctx);
  return withAccount(ctx.store, accountId, async (tx) => {
    await ensurePerson(tx, caller);
    const { addressed } = await show(tx, caller);
    if (channel !== 'email' && !addressed.some(({ kind }) => kind === channel))
      throw invalid('/channel', 'Set an address for this channel first.');
    return insertTrial(tx, accountId, { id, userId: personOf(caller), channel, test });
  });
}

/** The member's preferences, stored from now on. */
export async function ensurePerson(tx: Tx, caller: Caller): Promise<MemberPreferences> {
  const userId = personOf(caller);
  await ensurePeople(tx, caller.accountId, [{ userId, mailToken: newMailToken() }]);
  const person = (await readPeople(tx, caller.accountId, [userId])).get(userId);
  if (person === undefined) throw new Error('the preferences just stored cannot be read');
  return person;
}

/** Returns the defaults of a new member if none are stored: reading stores nothing. */
async function show(tx: Tx, caller: Caller): Promise<ShownPreferences> {
  const userId = personOf(caller);
  const person = (await readPeople(tx, caller.accountId, [userId])).get(userId);
  const { timeZone, digestHour, channels, timing, quiet, notices, mentions } = person ?? newPreferences;
  const stored = await readChannels(tx, caller.accountId, [userId]);
  const addressed = stored.map(({ kind, host }) => ({ kind, host }));
  const mailOff = person !== undefined && person.mailOffAt !== null;
  return { timeZone, digestHour, channels, timing, quiet, notices, mentions, mailOff, addressed };
}

function newId(ctx: CoreContext): string {
  return uuidv7(ctx.now().getTime(), globalThis.crypto.getRandomValues(new Uint8Array(10)));
}

function invalid(pointer: string, detail: string, code = 'invalid_value'): LandfallError {
  return new LandfallError('validation_failed', detail, { mistakes: [{ pointer, code, detail }] });
}

async function audit(
  tx: Tx,
  caller: Caller,
  { action, detail }: { action: string; detail: Record<string, unknown> },
): Promise<void> {
  await appendAudit(tx, caller.accountId, {
    actor: actorOf(caller),
    action: `alert.${action}`,
    subjectType: 'user',
    subjectId: personOf(caller),
    requestId: caller.requestId,
    detail,
  });
}
