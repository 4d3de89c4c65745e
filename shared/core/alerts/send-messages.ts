import { type DropReason, type Lane, maxListed } from '#shared/domain/alerts/entry.ts';
import {
  nextTryIn,
  type OutgoingAddress,
  type OutgoingMessage,
  type SendResult,
} from '#shared/domain/alerts/outgoing.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { oneLine } from '#shared/domain/words/safe-text.ts';
import { readChannels, readPeople } from '#shared/store/alerts/alert-preferences.ts';
import { type ClaimedMessage, claimMessages } from '#shared/store/alerts/claim-messages.ts';
import {
  type MessageOutcome,
  readMessageEntries,
  recordMessages,
  releaseMessages,
} from '#shared/store/alerts/messages.ts';
import { readRecipients } from '#shared/store/alerts/recipients.ts';
import { readAccountNames } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { writeUnsubscribeToken } from '../notices/mail-token.ts';
import { SecretUnreadable } from '../secrets/seal-secret.ts';
import { openChannel } from './channel-secrets.ts';

/**
 * Messages that one worker sends at the same time, of which a crash repeats at most all, and how many of them one account
 * may have under way.
 */
export const sentBatch: Record<Lane, { size: number; perAccount: number }> = {
  mails: { size: 10, perAccount: 50 },
  posts: { size: 30, perAccount: 5 },
};
/** Longer than a try may take. */
export const messageLeaseS = 90;

/** Claimed message with its decision: send it, or the reason not to. */
export type PreparedMessage = { claim: ClaimedMessage } & (
  | { message: OutgoingMessage; address: OutgoingAddress | null }
  | { drop: DropReason }
);

/**
 * Claims messages whose time has come and prepares them. A message belongs to this worker until its lease expires; then
 * another one sends it, with the same `Message-ID`.
 */
export async function takeMessages(
  ctx: CoreContext,
  { lane, hasMail }: { lane: Lane; hasMail: boolean },
): Promise<PreparedMessage[]> {
  const { size: limit, perAccount } = sentBatch[lane];
  const claims = await withSystem(ctx.store, (tx) =>
    claimMessages(tx, { lane, limit, perAccount, leaseS: messageLeaseS }),
  );
  const byAccount = Map.groupBy(claims, ({ accountId }) => accountId);
  const prepared = await Promise.all([...byAccount].map(([id, own]) => prepareOf(ctx, id, { claims: own, hasMail })));
  return prepared.flat();
}

/** Writes the outcomes of tries. `result` null: dropped. */
export async function recordSent(
  ctx: CoreContext,
  tried: readonly { claim: ClaimedMessage; result: SendResult | { outcome: 'dropped'; error: string } }[],
): Promise<MessageOutcome[]> {
  const outcomes = tried.map(({ claim, result }) => outcomeOf(claim, result));
  await withSystem(ctx.store, (tx) => recordMessages(tx, outcomes));
  return outcomes;
}

/** Gives claims back that were not tried. */
export async function giveBack(ctx: CoreContext, claims: readonly ClaimedMessage[]): Promise<void> {
  await withSystem(ctx.store, (tx) => releaseMessages(tx, claims));
}

const maxError = 500;

function outcomeOf(
  { accountId, id, epoch, tries }: ClaimedMessage,
  result: SendResult | { outcome: 'dropped'; error: string },
): MessageOutcome {
  const claim = { accountId, id, epoch };
  if (result.outcome === 'sent') return { ...claim, state: 'sent', error: null, nextTryInMs: null };
  // A mail server's own words: Postgres stores no NUL, and a text that cannot be stored would be sent again for ever.
  const error = oneLine(result.error, maxError);
  if (result.outcome === 'dropped') return { ...claim, state: 'dropped', error, nextTryInMs: null };
  const waitMs = result.outcome === 'refused' ? null : nextTryIn(tries);
  if (waitMs === null) return { ...claim, state: 'failed', error, nextTryInMs: null };
  return { ...claim, state: 'waiting', error, nextTryInMs: Math.max(waitMs, result.retryAfterMs ?? 0) };
}

async function prepareOf(
  ctx: CoreContext,
  accountId: string,
  { claims, hasMail }: { claims: readonly ClaimedMessage[]; hasMail: boolean },
): Promise<PreparedMessage[]> {
  const userIds = [...new Set(claims.map(({ userId }) => userId))];
  const { members, people, channels, entries, names } = await withSystem(ctx.store, async (tx) => ({
    members: new Map((await readRecipients(tx, [accountId])).map((member) => [member.userId, member])),
    people: await readPeople(tx, accountId, userIds),
    channels: await readChannels(tx, accountId, userIds),
    entries: await readMessageEntries(tx, accountId, { messageIds: claims.map(({ id }) => id), limit: maxListed }),
    names: await readAccountNames(tx, [accountId]),
  }));
  const base = ctx.settings.publicBaseUrl.replace(/\/+$/, '');
  const prepare = async (claim: ClaimedMessage): Promise<PreparedMessage> => {
    const { channel, userId, test } = claim;
    const member = members.get(userId);
    const person = people.get(userId);
    if (member === undefined || person === undefined) return { claim, drop: 'not_a_member' };
    if (channel === 'email' && !hasMail) return { claim, drop: 'no_smtp' };
    if (channel === 'email' && person.mailOffAt !== null && claim.kind !== 'trial') return { claim, drop: 'mail_off' };
    const stored = channels.find((one) => one.userId === userId && one.kind === channel);
    if (channel !== 'email' && stored === undefined) return { claim, drop: 'no_channel' };
    const listed = entries.get(claim.id) ?? [];
    if (listed.length === 0 && claim.kind !== 'trial') return { claim, drop: 'removed' };
    const token = writeUnsubscribeToken({ accountId, userId, messageId: claim.id, secret: person.mailToken });
    const query = `?account=${encodeTypeId('acc', accountId)}&mode=${test ? 'test' : 'live'}`;
    const message: OutgoingMessage = {
      id: claim.id,
      channel,
      timing: claim.timing,
      kind: claim.kind,
      test,
      accountName: names.get(accountId) ?? '',
      recipient: { name: member.name, email: member.email },
      entries: listed,
      // Shipments may have been removed since, with the entries about them.
      count: listed.length < maxListed ? listed.length : claim.entries,
      createdAt: claim.createdAt,
      timeZone: person.timeZone,
      links: {
        base,
        query,
        message: `${base}/alerts/messages/${encodeTypeId('msg', claim.id)}${query}`,
        settings: `${base}/alerts${query}`,
        unsubscribe: channel === 'email' ? `${base}/unsubscribe/${token}` : null,
      },
    };
    if (stored === undefined) return { claim, message, address: null };
    return { claim, message, address: { ...(await openChannel(ctx, accountId, stored)), test } };
  };
  return Promise.all(
    claims.map((claim) =>
      prepare(claim).catch((error: unknown): PreparedMessage => {
        if (!(error instanceof SecretUnreadable)) throw error;
        return { claim, drop: 'secret_unreadable' };
      }),
    ),
  );
}
