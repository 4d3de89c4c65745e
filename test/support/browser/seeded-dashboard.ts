import { fleet } from '#infra/tools/desk/portfolio/fleet.ts';
import { landAndAirCast } from '#infra/tools/desk/portfolio/land-and-air-cast.ts';
import { oceanCast } from '#infra/tools/desk/portfolio/ocean-cast.ts';
import { type Seeded, seedStories } from '#infra/tools/desk/portfolio/seed.ts';
import type { TestApi } from '#test/support/api/api.ts';
import type { SignedInMember } from './dashboard.ts';

/** Fills the account with a portfolio: every mode and status; late, held and failed shipments. */
export function seedAccountOf(api: TestApi, { accountId }: SignedInMember): Promise<Seeded[]> {
  const caller = {
    accountId,
    keyId: null,
    scopes: ['shipments:read', 'shipments:write'] as const,
    test: false,
    requestId: 'req_test',
    idempotency: null,
  };
  const core = { ctx: api.ctx.core, databaseUrl: api.databaseUrl };
  return seedStories(core, caller, [...fleet('PO', 0), ...landAndAirCast, ...oceanCast]);
}
