import { toBulkActionId, toWireBulkAction } from '#shared/contract/bulk/bulk-action-wire.ts';
import { cancelBulkAction, getBulkAction, startBulkAction, undoBulkAction } from '#shared/core/bulk/bulk-actions.ts';
import type { BulkAction } from '#shared/domain/bulk/bulk-action.ts';
import { answer, type Routes } from '../plugins/serve.ts';

const pollAgainS = '1';

export const bulkActionRoutes = {
  async startBulkAction({ ctx, caller, body }) {
    const { replayed, started } = await startBulkAction(ctx.core, caller, body);
    return accepted(started, replayed ? { 'idempotent-replayed': 'true' } : {});
  },

  async getBulkAction({ ctx, caller, params }) {
    const found = await getBulkAction(ctx.core, caller, params.bulkActionId);
    return answer(200, toWireBulkAction(found), found.completedAt === null ? { 'retry-after': pollAgainS } : {});
  },

  cancelBulkAction: async ({ ctx, caller, params }) =>
    toWireBulkAction(await cancelBulkAction(ctx.core, caller, params.bulkActionId)),

  undoBulkAction: async ({ ctx, caller, params }) =>
    accepted(await undoBulkAction(ctx.core, caller, params.bulkActionId)),
} satisfies Partial<Routes>;

function accepted(started: BulkAction, headers: Record<string, string> = {}) {
  return answer(202, toWireBulkAction(started), {
    location: `/v1/bulk-actions/${toBulkActionId(started.id)}`,
    ...headers,
  });
}
