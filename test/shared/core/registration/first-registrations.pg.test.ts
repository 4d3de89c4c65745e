import pg from 'pg';
import { expect, it } from 'vitest';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, uniqueNumber } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

it('looks references and numbers up by their indexes in a database that was empty when its connections first planned', async () => {
  const core = await openTestCore({}, ownDatabase);
  const owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
  try {
    const caller = await core.newCaller();
    const count = 150;
    for (let number = 0; number < count; number++)
      await registerShipment(
        core.ctx,
        caller,
        oceanRegistration({ identifiers: { mbl: uniqueNumber() }, reference: `PO-${number}` }),
      );
    // One after the other, they all used the connection that this transaction gets.
    await withAccount(core.store, caller.accountId, (tx) => tx.query('select pg_stat_force_next_flush()'));
    const { rows } = await owner.query<{ index: string; scans: number; read: number }>(
      `select indexrelname as index, idx_scan::integer as scans, idx_tup_read::integer as read
       from pg_stat_user_indexes
       where relname in ('shipments', 'shipment_identifiers')`,
    );
    const read = rows.reduce((sum, row) => sum + row.read, 0);
    expect(rows.find(({ index }) => index === 'shipments_reference_unique')?.scans).toBeGreaterThanOrEqual(count - 1);
    expect(read).toBeLessThan(10 * count);
  } finally {
    await owner.end();
    await core.close();
  }
});
