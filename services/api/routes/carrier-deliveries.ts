import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptDelivery } from '#shared/core/carrier-subscriptions/accept-delivery.ts';
import { readSubscriptionName } from '#shared/domain/carrier-subscriptions/subscription-address.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { signInNetwork } from '#shared/domain/keys/limits.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';

const path = '/hooks/:connector/:subscription';
const maxBodyBytes = 1_048_576;
const failedDeliveriesPerMinute = 60;

/**
 * Receives events from carriers (DCSA Track & Trace 2.2). No API key: the signature over the raw body authenticates the
 * sender. Not part of the public API.
 */
export function registerHooks(app: FastifyInstance, ctx: ApiContext): void {
  app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    // Any media type: the signature covers the raw bytes.
    hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    hooks.post(path, { bodyLimit: maxBodyBytes, config: { anyAccept: true } }, (request, reply) =>
      receiveDelivery(ctx, request, reply),
    );
    hooks.options(path, { config: { anyAccept: true } }, async (_request, reply) =>
      reply.status(204).header('allow', 'OPTIONS, POST').send(),
    );
  });
}

/** Answers with 204, because some carriers retry after any other success status. */
async function receiveDelivery(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { connector, subscription } = request.params as { connector: string; subscription: string };
  const { 'notification-signature': signature } = request.headers;
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : new Uint8Array();
  try {
    const isNew = await acceptDelivery(ctx.core, {
      connector,
      subscription,
      signature: typeof signature === 'string' ? signature : undefined,
      body,
    });
    annotateSpan({ 'push.connector': connector, 'push.repeated': !isNew });
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'invalid_signature')
      await countFailedDelivery(ctx, request, subscription);
    throw error;
  }
  return reply.status(204).send();
}

/**
 * Counts against the IP address and against the subscription, each for itself. A delivery with a valid signature is
 * accepted whatever else comes from its address: carriers send for many accounts from few addresses.
 */
async function countFailedDelivery(ctx: ApiContext, request: FastifyRequest, subscription: string): Promise<void> {
  refuse(
    await ctx.limiter.admit(`hook:${signInNetwork(request.ip)}`, failedDeliveriesPerMinute),
    'from this IP address',
  );
  const id = readSubscriptionName(subscription)?.id;
  if (id === undefined) return;
  refuse(await ctx.limiter.admit(`hook-subscription:${id}`, failedDeliveriesPerMinute), 'for this subscription');
}

function refuse({ admitted, resetS }: { admitted: boolean; resetS: number }, which: string): void {
  if (admitted) return;
  throw new LandfallError(
    'rate_limited',
    `Too many deliveries with an invalid signature ${which}. Retry in ${resetS} s.`,
    { retryAfterS: resetS },
  );
}
