import type { FastifyReply } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';

/** Aborts when the connection closes before the response is written. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const end = () => gone.abort(new LandfallError('unavailable', 'The client disconnected.'));
  if (reply.raw.destroyed) end();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) end();
  });
  return gone.signal;
}
