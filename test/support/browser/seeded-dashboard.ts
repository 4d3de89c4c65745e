import { fleet } from '#test/agents/portfolio/fleet.ts';
import { landAndAirCast } from '#test/agents/portfolio/land-and-air-cast.ts';
import { oceanCast } from '#test/agents/portfolio/ocean-cast.ts';
import { type Seeded, seedStories } from '#test/agents/portfolio/seed.ts';
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
