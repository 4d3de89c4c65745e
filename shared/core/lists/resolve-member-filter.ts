import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { anyoneElse, withMe } from '#shared/domain/lists/filter-conditions.ts';

/**
 * The filter as the caller means it: `me` is the signed-in member. Throws LandfallError `validation_failed` for a key,
 * which is nobody.
 */
export function resolveMemberFilter({ userId }: Pick<Caller, 'userId'>, filter: ShipmentFilter): ShipmentFilter {
  if (userId !== undefined || filter.assignee?.includes(anyoneElse.me) !== true) return withMe(filter, userId ?? null);
  const detail = 'assignee=me needs a signed-in member. A key names members by id. See GET /v1/members.';
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '?assignee', code: 'invalid_value', detail }],
  });
}
