import type { FastifyReply, FastifyRequest } from 'fastify';
import { forgetEndedSessions } from '#shared/core/people/sessions.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { ApiContext } from '../context.ts';
import { countPasswordTry } from '../plugins/rate-limit.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { authRequestOf } from '../plugins/session.ts';

type Credentials = { email: string; password: string; rememberMe?: boolean | undefined };

/** Signs in with an e-mail address and a password. */
export function signInRoute(ctx: ApiContext): DashboardHandler<'signIn'> {
  return async ({ request, reply, body }) => {
    await countPasswordTry(ctx, request, reply);
    return signIn(ctx, { request, reply }, body);
  };
}

/** Sets the cookie of a new session and gives who it is. Throws LandfallError `wrong_password`. */
export async function signIn(
  ctx: ApiContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  credentials: Credentials,
) {
  const { body, setCookies } = await ctx.auth.post(
    '/sign-in/email',
    { ...authRequestOf(request), cookie: '' },
    credentials,
  );
  for (const cookie of setCookies) reply.header('set-cookie', cookie);
  const { id, name, email } = (body as { user: { id: string; name: string; email: string } }).user;
  await forgetEndedSessions(ctx.core, id).catch((error: unknown) =>
    ctx.logger.warn({ err: error }, 'ended sessions were not forgotten'),
  );
  return { user: { id: encodeTypeId('user', id), name, email } };
}
