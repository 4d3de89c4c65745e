import { toWireOverview } from '#shared/contract/installation/overview-wire.ts';
import { toWireArrivalDays } from '#shared/contract/lists/arrival-days-wire.ts';
import { countArrivalDays } from '#shared/core/analytics/count-arrival-days.ts';
import { wipeDemonstration } from '#shared/core/installation/wipe-demonstration.ts';
import { listKeysInUse } from '#shared/core/keys/list-api-keys.ts';
import { readOverview } from '#shared/core/lists/read-overview.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type LimitClass, limitClasses, limitsOf } from '#shared/domain/keys/limits.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { answerHistory, answerOperations, answerTrace, answerTraces } from '../operations/operations-answers.ts';
import { limitKey } from '../plugins/rate-limit.ts';
import type { Routes } from '../plugins/serve.ts';

export const accountRoutes = {
  /** The limits of one key or user, and what the signed-in user and the keys in use have used of them. */
  async getLimits({ ctx, caller, person: { user }, request }) {
    const { read, write, batch, mcp } = request.limits ?? limitsOf({});
    const keys = caller.scopes.includes('keys:manage') ? await listKeysInUse(ctx.core, caller) : [];
    const askers = [
      { id: encodeTypeId('user', user.id), name: user.name, asker: { userId: user.id } },
      ...keys.map(({ id, name }) => ({ id: encodeTypeId('key', id), name, asker: { keyId: id } })),
    ];
    const counts = await ctx.limiter.usage(
      askers.flatMap(({ asker }) => limitClasses.map((limitClass) => limitKey(limitClass, asker))),
    );
    const usedBy = (index: number) => {
      const used = limitClasses.map((limitClass, offset) => {
        const count = counts?.[index * limitClasses.length + offset];
        return [limitClass, { used: count?.used ?? 0, ends_in_s: count?.endsInS ?? null }];
      });
      return Object.fromEntries(used) as Record<LimitClass, { used: number; ends_in_s: number | null }>;
    };
    const usage = counts && askers.map(({ id, name }, index) => ({ id, name, ...usedBy(index) }));
    return { read, write, batch, mcp, usage };
  },

  async getOverview({ ctx, caller, query: { day } }) {
    const [overview, stalledS] = await Promise.all([readOverview(ctx.core, caller, day ?? null), ctx.stall()]);
    return toWireOverview({ ...overview, stalledS });
  },

  async getArrivalDays({ ctx, caller, query }) {
    return toWireArrivalDays(await countArrivalDays(ctx.core, caller, query));
  },

  /** Archives the demonstration shipments of a simulated installation. */
  async wipeDemo({ ctx, caller }) {
    if (!ctx.settings.simulated)
      throw new LandfallError('invalid_state', 'This installation is not simulated and has no demonstration data.');
    return { archived: await wipeDemonstration(ctx.core, caller) };
  },

  getOperations: ({ ctx }) => answerOperations(ctx),
  getOperationsHistory: ({ ctx }) => answerHistory(ctx),
  findTraces: ({ ctx, query }) => answerTraces(ctx, query),
  getTrace: ({ ctx, params }) => answerTrace(ctx, params.trace_id),
} satisfies Partial<Routes>;
