import { toWireChangeList } from '#shared/contract/feed/change-wire.ts';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import type { Routes } from '../plugins/serve.ts';

export const feedRoutes = {
  async listChanges({ ctx, caller, query }) {
    return toWireChangeList(await listChanges(ctx.core, caller, query));
  },
} satisfies Partial<Routes>;
