import { toWireShareSettings } from '#shared/contract/shares/share-settings-wire.ts';
import { toWireShare } from '#shared/contract/shares/share-wire.ts';
import { createShare } from '#shared/core/shares/create-share.ts';
import { listShares } from '#shared/core/shares/list-shares.ts';
import { readLogo as readStoredLogo } from '#shared/core/shares/open-share.ts';
import { revokeShare } from '#shared/core/shares/revoke-share.ts';
import { getShareSettings, setShareLogo, updateShareSettings } from '#shared/core/shares/share-settings.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { ShareSettings } from '#shared/domain/shares/share.ts';
import type { ApiContext } from '../context.ts';
import { goneSignal } from '../http/gone-signal.ts';
import { drawOnThread } from '../parsing/draw-on-thread.ts';
import type { Routes } from '../plugins/serve.ts';

export const shareRoutes = {
  async createShare({ ctx, caller, params, body }) {
    const { share, token } = await createShare(ctx.core, caller, { ...params, ...body });
    return { ...toWireShare(share), url: `${ctx.core.settings.publicBaseUrl}/t/${token}` };
  },

  listShares: async ({ ctx, caller, params }) => ({
    data: (await listShares(ctx.core, caller, params.shipmentId)).map(toWireShare),
  }),

  async revokeShare({ ctx, caller, params }) {
    await revokeShare(ctx.core, caller, params.shareId);
    return undefined;
  },

  getShareSettings: async ({ ctx, caller }) => showSettings(ctx, caller, await getShareSettings(ctx.core, caller)),

  updateShareSettings: async ({ ctx, caller, body }) =>
    showSettings(ctx, caller, await updateShareSettings(ctx.core, caller, body)),

  async setShareLogo({ ctx, caller, body, request, reply }) {
    const sent = { mediaType: body.media_type, bytes: Buffer.from(body.data, 'base64') };
    const hold = (bytes: number) => request.memory?.grow(bytes);
    const options = { accountId: caller.accountId, signal: goneSignal(reply), hold };
    const logo = await drawOnThread(ctx.parsing, { parser: 'logo', input: sent }, options);
    return showSettings(ctx, caller, await setShareLogo(ctx.core, caller, logo));
  },

  removeShareLogo: async ({ ctx, caller }) => showSettings(ctx, caller, await setShareLogo(ctx.core, caller, null)),
} satisfies Partial<Routes>;

async function showSettings(ctx: ApiContext, caller: Caller, settings: ShareSettings) {
  const logo = settings.logoHash === null ? null : await readStoredLogo(ctx.core, caller.accountId);
  return toWireShareSettings(settings, { enabled: ctx.core.settings.sharedPages, logo });
}
