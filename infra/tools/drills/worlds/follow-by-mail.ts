import { randomUUID } from 'node:crypto';
import { openScriptCore, operatorOf } from '#infra/installation/open-script-core.ts';
import { createAlert } from '#shared/core/alerts/alerts.ts';
import { saveView } from '#shared/core/alerts/saved-views.ts';
import { scopesOfRole } from '#shared/domain/members/role.ts';
import { ensureOrganization, insertMember } from '#shared/store/auth/members.ts';
import { withAuth } from '#shared/store/with-account.ts';

/** Adds a member to an account who gets a mail for each shipment that departs or is delivered. */
export async function followByMail(serviceUrl: string, accountId: string): Promise<void> {
  const core = await openScriptCore(serviceUrl, '');
  try {
    const userId = await withAuth(core.store, async (tx) => {
      await ensureOrganization(tx, { accountId, name: 'drill' });
      const { rows } = await tx.query<{ id: string }>(
        `insert into auth.users (name, email) values ('Drill', $1) returning id`,
        [`${randomUUID()}@example.com`],
      );
      const id = rows[0]?.id ?? '';
      await insertMember(tx, accountId, { userId: id, role: 'member' });
      return id;
    });
    const member = { ...operatorOf(accountId), userId, scopes: scopesOfRole.member };
    const view = await saveView(core, member, {
      name: 'All',
      shared: false,
      search: {},
      filter: {},
      sort: '-created_at',
    });
    await createAlert(core, member, {
      viewId: view.id,
      shipmentId: null,
      rules: { statuses: ['in_transit', 'delivered'] },
      channels: ['email'],
      timing: 'at_once',
      paused: false,
    });
  } finally {
    await core.close();
  }
}
