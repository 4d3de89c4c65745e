import { settlesWithin } from '#shared/async/deadline.ts';
import { formDueMessages, formedBatchSize } from '#shared/core/alerts/form-messages.ts';
import {
  giveBack,
  type PreparedMessage,
  recordSent,
  sentBatch,
  takeMessages,
} from '#shared/core/alerts/send-messages.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { dropReasons, type Lane } from '#shared/domain/alerts/entry.ts';
import type { OutgoingAddress, OutgoingMessage, SendResult } from '#shared/domain/alerts/outgoing.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { describeTry, isDelivered } from '#shared/domain/webhooks/delivery-error.ts';
import { askedPause } from '#shared/domain/webhooks/tries.ts';
import type { WebhookSender } from '#shared/net/webhook-sender.ts';
import { currentTraceparent, inSpan } from '#shared/telemetry/events.ts';
import { addTo } from '#shared/telemetry/instruments.ts';
import { slackBody, teamsBody, webhookBody } from './chat-bodies.ts';
import type { Mailer } from './mailer.ts';

export type SendContext = {
  core: CoreContext;
  /** Null: there is no mail server. */
  mailer: Mailer | null;
  sender: Pick<WebhookSender, 'compose' | 'send'>;
};

const timeoutMs = 10_000;
/** Time limit of a batch before the next one; a message that takes longer continues until its own deadline. */
const batchMs = 60_000;

/**
 * Makes messages of the mailboxes of one lane that are due and sends what waits: a mail server that hangs keeps nothing
 * but mails waiting. Returns whether there may be more.
 */
export async function sendLane(ctx: SendContext, lane: Lane, signal: AbortSignal): Promise<boolean> {
  const formed = await formDueMessages(ctx.core, lane);
  const prepared = await takeMessages(ctx.core, { lane, hasMail: ctx.mailer !== null });
  if (signal.aborted) {
    await giveBack(
      ctx.core,
      prepared.map(({ claim }) => claim),
    );
    return false;
  }
  await settlesWithin(Promise.all(prepared.map((one) => sendOne(ctx, one))), batchMs);
  return formed >= formedBatchSize || prepared.length >= sentBatch[lane].size;
}

/** Its outcome is written at once: a crash repeats only what was under way. */
async function sendOne(ctx: SendContext, prepared: PreparedMessage): Promise<void> {
  const { claim } = prepared;
  const { channel } = claim;
  const attributes = { 'account.id': claim.accountId, 'alert.channel': channel, 'alert.try': claim.tries };
  await inSpan('send-alert', { kind: 'client', attributes, root: true, links: [] }, async () => {
    const result =
      'drop' in prepared
        ? { outcome: 'dropped' as const, error: prepared.drop }
        : await send(ctx, prepared.message, prepared.address);
    const [written] = await recordSent(ctx.core, [{ claim, result }]);
    const outcome = written?.state === 'waiting' ? 'retrying' : (written?.state ?? 'failed');
    addTo('landfall.alert.messages', 1, { channel, outcome });
    if (result.outcome !== 'sent')
      ctx.core.log.info(
        {
          account_id: claim.accountId,
          message_id: encodeTypeId('msg', claim.id),
          channel,
          outcome,
          reason: result.error,
        },
        'alert message not sent',
      );
  }).catch((error: unknown) =>
    // Its lease expires, and it is sent again.
    ctx.core.log.warn({ err: error, channel }, 'outcome of an alert message not written; it is sent again'),
  );
}

async function send(
  { core, mailer, sender }: SendContext,
  message: OutgoingMessage,
  address: OutgoingAddress | null,
): Promise<SendResult> {
  if (message.channel === 'email')
    return mailer === null ? { outcome: 'refused', error: dropReasons.no_smtp } : mailer.send(message);
  if (address === null) return { outcome: 'refused', error: dropReasons.no_channel };
  const { url, secret, test } = address;
  const target = { url, test, timeoutMs, headers: {}, secrets: secret === null ? [] : [secret] };
  const at = { nowMs: core.now().getTime(), traceparent: currentTraceparent() };
  const request =
    message.channel === 'webhook'
      ? sender.compose(target, { id: encodeTypeId('msg', message.id), body: webhookBody(message) }, at)
      : {
          headers: { 'content-type': 'application/json' },
          body: message.channel === 'slack' ? slackBody(message) : teamsBody(message),
        };
  const response = await sender.send(target, request);
  if (isDelivered(response)) return { outcome: 'sent' };
  const { status, retryAfter } = response;
  const retryAfterMs = askedPause(status, retryAfter, at.nowMs);
  return { outcome: isFinal(status) ? 'refused' : 'failed', error: describeTry(response) ?? 'failed', retryAfterMs };
}

/** The address is gone, or never takes what we send. */
function isFinal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}
