import { toWireAccount } from '#shared/contract/keys/account-operations.ts';
import { apiKeyCursor } from '#shared/contract/keys/api-key-input.ts';
import { toWireApiKey, toWireCreatedApiKey } from '#shared/contract/keys/api-key-wire.ts';
import { toWireMe } from '#shared/contract/keys/me-wire.ts';
import { getAccount, setRetention } from '#shared/core/keys/account-settings.ts';
import { createApiKeyFor } from '#shared/core/keys/create-api-key.ts';
import { describeCaller } from '#shared/core/keys/describe-caller.ts';
import { listApiKeys } from '#shared/core/keys/list-api-keys.ts';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { rotateApiKey } from '#shared/core/keys/rotate-api-key.ts';
import { limitsOf } from '#shared/domain/keys/limits.ts';
import { nextPageLink } from '../http/answer-headers.ts';
import { answer, type Routes } from '../plugins/serve.ts';

export const keyRoutes = {
  async listApiKeys({ ctx, caller, query: page, request }) {
    const { keys, hasMore } = await listApiKeys(ctx.core, caller, page);
    const last = keys.at(-1);
    const nextCursor = hasMore && last !== undefined ? apiKeyCursor(last.id) : null;
    const body = {
      data: keys.map(toWireApiKey),
      page: { limit: page.limit, has_more: hasMore, next_cursor: nextCursor },
    };
    return answer(200, body, nextPageLink(request.url, nextCursor));
  },

  async createApiKey({ ctx, caller, body }) {
    return toWireCreatedApiKey(await createApiKeyFor(ctx.core, caller, body));
  },

  async rotateApiKey({ ctx, caller, params, body }) {
    return toWireCreatedApiKey(await rotateApiKey(ctx.core, caller, { ...params, ...body }));
  },

  async revokeApiKey({ ctx, caller, params }) {
    await revokeApiKey(ctx.core, caller, params.keyId);
    return undefined;
  },

  getAccount: async ({ ctx, caller }) => toWireAccount(await getAccount(ctx.core, caller)),

  updateAccount: async ({ ctx, caller, body }) =>
    toWireAccount(await setRetention(ctx.core, caller, body.retention_days)),

  async getMe({ ctx, caller, request }) {
    const description = await describeCaller(ctx.core, caller, request.limits ?? limitsOf({}));
    return answer(200, toWireMe(description), { 'cache-control': 'private, no-cache' });
  },
} satisfies Partial<Routes>;
