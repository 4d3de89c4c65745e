import type { StopReason } from '#shared/domain/bulk/bulk-action.ts';
import type { Scope } from '#shared/domain/caller.ts';
import { scopesOfRole } from '#shared/domain/members/role.ts';
import type { BulkAccess } from '#shared/store/bulk/bulk-access.ts';

/** Scope that starting a bulk action needs. */
const needed: Scope = 'shipments:write';

/** Returns the reason why the starter of an action may no longer run it, or null. */
export function lostAccess(access: BulkAccess): StopReason | null {
  if (access.by === 'unknown') return null;
  if (access.by === 'key') {
    if (access.key === null || access.key.isRevoked) return 'key_revoked';
    if (access.key.isExpired) return 'key_expired';
    return access.key.scopes.includes(needed) ? null : 'permission_lost';
  }
  if (access.role === null) return 'member_removed';
  return scopesOfRole[access.role].includes(needed) ? null : 'permission_lost';
}
