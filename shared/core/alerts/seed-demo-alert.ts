import { scopesOfRole } from '#shared/domain/members/role.ts';
import type { CoreContext } from '../core-context.ts';
import { ensureFirstAccount } from '../keys/ensure-initial-access.ts';
import { createAlert } from './alerts.ts';
import { saveView } from './saved-views.ts';

const name = 'Arrived or delivered';

/** A shared view and an alert of the first owner of a demonstration, so that its simulated voyages send mails. */
export async function seedDemoAlert(
  ctx: CoreContext,
  { userId, requestId }: { userId: string; requestId: string },
): Promise<void> {
  const { accountId } = await ensureFirstAccount(ctx);
  const caller = {
    accountId,
    keyId: null,
    userId,
    scopes: scopesOfRole.owner,
    test: false,
    requestId,
    idempotency: null,
  };
  const statuses = ['arrived', 'available_for_pickup', 'delivered'] as const;
  const view = await saveView(ctx, caller, {
    name,
    shared: true,
    search: { view: 'all', status: statuses.join(',') },
    filter: { status: [...statuses] },
    sort: '-created_at',
  });
  await createAlert(ctx, caller, {
    viewId: view.id,
    shipmentId: null,
    rules: { enters: true, exception: true },
    channels: ['email'],
    timing: 'at_once',
    paused: false,
  });
}
