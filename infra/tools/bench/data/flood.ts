import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { openScriptCore, operatorOf } from '#infra/installation/open-script-core.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';

/** An account that keeps importing while its earlier imports still wait for their first refresh. */
export type Flood = {
  accountId: string;
  key: string;
  /** Makes the shipments due again that have been refreshed since. */
  refill: () => Promise<void>;
  /** Number of completed refreshes. */
  refreshed: () => Promise<number>;
  /** Uploads one file after another until `signal` aborts, and waits for each to be imported. */
  importUntil: (apiUrl: string, signal: AbortSignal) => Promise<void>;
  close: () => Promise<void>;
};

const rowsPerFile = 2000;
const pollMs = 100;
const unlimited = 1_000_000_000;

/** `waiting` shipments in an account of their own, as an import leaves them: registered, due, and not yet queued. */
export async function openFlood(databaseUrl: string, waiting: number): Promise<Flood> {
  const { accountId, key } = await openAccount(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  // The database may be dropped while this connection is still open.
  client.on('error', () => undefined);
  await client.connect();
  if (waiting > 0) await addWaiting(client, accountId, waiting);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  let number = 500_000_000;

  const importFile = async (apiUrl: string, signal: AbortSignal): Promise<void> => {
    const rows = Array.from({ length: rowsPerFile }, () => {
      number += 1;
      return JSON.stringify({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: `MAEU${number}` } });
    });
    const answer = await fetch(`${apiUrl}/v1/imports`, { method: 'POST', headers, body: rows.join('\n') });
    if (answer.status !== 202) throw new Error(`the import was rejected: ${answer.status} ${await answer.text()}`);
    await answer.body?.cancel();
    const location = answer.headers.get('location') ?? '';
    while (!signal.aborted) {
      const { state } = (await (await fetch(apiUrl + location, { headers })).json()) as { state: string };
      if (state === 'completed') return;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };

  return {
    accountId,
    key,
    refill: async () => {
      await client.query(
        `update landfall.polling set next_refresh_at = now(), lease_until = null
        where account_id = $1 and (next_refresh_at is null or next_refresh_at > now() or lease_until is not null)`,
        [accountId],
      );
    },
    refreshed: async () => {
      const { rows } = await client.query<{ refreshed: number }>(
        'select coalesce(sum(count), 0)::float8 as refreshed from landfall.refreshes where account_id = $1',
        [accountId],
      );
      return rows[0]?.refreshed ?? 0;
    },
    importUntil: async (apiUrl, signal) => {
      while (!signal.aborted) await importFile(apiUrl, signal);
    },
    close: () => client.end(),
  };
}

async function openAccount(databaseUrl: string): Promise<{ accountId: string; key: string }> {
  const core = await openScriptCore(serviceUrlOf(databaseUrl), '');
  try {
    const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, `flood ${randomUUID()}`));
    await setAccountLimits(core, operatorOf(accountId), { read: unlimited, write: unlimited, batch: unlimited });
    return { accountId, key: (await createApiKey(core, accountId, { name: 'flood', test: false })).secret };
  } finally {
    await core.close();
  }
}

async function addWaiting(client: pg.Client, accountId: string, count: number): Promise<void> {
  await client.query('set synchronous_commit = off');
  await client.query(
    `with made as (
      insert into landfall.shipments (account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, record, search_text)
      select $1, false, 'ocean', 'MAEU', 'Maersk', 'maersk', jsonb_build_object('mbl', 'MAEU' || 600000000 + n), $3::jsonb, 'maeu' || 600000000 + n
      from generate_series(1, $2::int) as n
      returning account_id, id
    )
    insert into landfall.polling (account_id, shipment_id, connector, next_refresh_at) select account_id, id, 'maersk', now() from made`,
    [accountId, count, JSON.stringify(composeJourney({ events: [], transportMode: 'ocean' }, 0))],
  );
  await client.query('vacuum analyze landfall.shipments, landfall.polling');
}
