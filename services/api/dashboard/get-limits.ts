import { listKeysInUse } from '#shared/core/keys/list-api-keys.ts';
import { type LimitClass, limitClasses, limitsOf } from '#shared/domain/keys/limits.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { limitKey } from '../plugins/rate-limit.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';
import { personOf } from '../plugins/session.ts';

/** Requests a minute of one key of the account, and of one person; what this person and the keys in use have used. */
export function getLimitsRoute(ctx: ApiContext): DashboardHandler<'getLimits'> {
  return async ({ request }) => {
    const { read, write, batch, mcp } = request.limits ?? limitsOf({});
    const { user } = personOf(request);
    const caller = callerOf(request);
    const keys = caller.scopes.includes('keys:manage') ? await listKeysInUse(ctx.core, caller) : [];
    const askers = [
      { id: encodeTypeId('user', user.id), name: user.name, asker: { userId: user.id } },
      ...keys.map(({ id, name }) => ({ id: encodeTypeId('key', id), name, asker: { keyId: id } })),
    ];
    const usage = await ctx.limiter.usage(
      askers.flatMap(({ asker }) => limitClasses.map((limitClass) => limitKey(limitClass, asker))),
    );
    const usedBy = (index: number) =>
      Object.fromEntries(
        limitClasses.map((limitClass, offset) => [
          limitClass,
          toWireUsed(usage?.[index * limitClasses.length + offset]),
        ]),
      ) as Record<LimitClass, ReturnType<typeof toWireUsed>>;
    return {
      read,
      write,
      batch,
      mcp,
      usage: usage && askers.map(({ id, name }, index) => ({ id, name, ...usedBy(index) })),
    };
  };
}

function toWireUsed(usage: { used: number; endsInS: number | null } | undefined) {
  return { used: usage?.used ?? 0, ends_in_s: usage?.endsInS ?? null };
}
