import type { FastifyRequest } from 'fastify';
import { toWireApp, toWireAppRequest } from '#shared/contract/apps/app-operations.ts';
import { connectApp } from '#shared/core/apps/connect-app.ts';
import { disconnectApp } from '#shared/core/apps/end-apps.ts';
import { listApps } from '#shared/core/apps/list-apps.ts';
import { redirectHostOf } from '#shared/domain/apps/app.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { AppRequest, Oauth } from '../auth/open-oauth.ts';
import type { ApiContext } from '../context.ts';
import type { Routes } from '../plugins/serve.ts';
import { authRequestOf } from '../plugins/session.ts';

export const appRoutes = {
  async readAppRequest({ ctx, body, request }) {
    return toWireAppRequest(await readRequest(ctx, body.request, request));
  },

  /** The key decides the account; the person must own it. */
  async allowApp({ ctx, caller, body, request }) {
    const { clientId, name, redirectUri } = await readRequest(ctx, body.request, request);
    const location = await connectApp(ctx.core, caller, {
      keyId: body.api_key_id,
      app: { clientId, name, redirectHost: redirectHostOf(redirectUri) },
      consent: (tx, reference) =>
        oauthOf(ctx).answerRequest(body.request, { accept: true, reference, tx }, authRequestOf(request)),
    });
    return { location };
  },

  async denyApp({ ctx, body, request }) {
    await readRequest(ctx, body.request, request);
    return { location: await oauthOf(ctx).answerRequest(body.request, { accept: false }, authRequestOf(request)) };
  },

  listApps: async ({ ctx, caller, params }) => ({
    data: (await listApps(ctx.core, caller, params.keyId)).map(toWireApp),
  }),

  async disconnectApp({ ctx, caller, params }) {
    await disconnectApp(ctx.core, caller, params.appId);
    return undefined;
  },
} satisfies Partial<Routes>;

/** Throws LandfallError `link_not_valid`: the request was changed or has expired. */
async function readRequest(ctx: ApiContext, signed: string, request: FastifyRequest): Promise<AppRequest> {
  const read = await oauthOf(ctx).readRequest(signed, authRequestOf(request));
  if (read !== null) return read;
  throw new LandfallError('link_not_valid', 'This request has expired or is incomplete. Start again in the app.');
}

/** The routes are served only with it. */
function oauthOf({ oauth }: ApiContext): Oauth {
  if (oauth === null) throw new Error('MCP_OAUTH is off');
  return oauth;
}
