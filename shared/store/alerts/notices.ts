import type { EntryFacts } from '#shared/domain/alerts/entry.ts';
import type { Notice, NoticeKind } from '#shared/domain/alerts/notice.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Stores notices. One whose key the account has is left out: it is sent once. */
export async function appendNotices(tx: Tx, notices: readonly (Notice & { accountId: string })[]): Promise<void> {
  if (notices.length === 0) return;
  await tx.query({
    name: 'append-alert-notices',
    text: `
      insert into landfall.alert_notices (account_id, key, kind, test, facts)
      select n."accountId", n.key, n.kind, n.test, n.facts
      from json_to_recordset($1::json) as n ("accountId" uuid, key text, kind text, test boolean, facts jsonb)
      order by n."accountId", n.key
      on conflict (account_id, key) do nothing`,
    values: [JSON.stringify(notices)],
  });
}

/** Locks up to `limit` unsent notices, the oldest first. Those that are locked elsewhere are left out. */
export async function lockUnsent(tx: Tx, limit: number): Promise<(Notice & { accountId: string })[]> {
  return readRows<{
    accountId: string;
    key: string;
    kind: NoticeKind;
    test: boolean;
    facts: EntryFacts;
  }>(tx, {
    name: 'lock-unsent-alert-notices',
    text: `
      select account_id, key, kind, test, facts
      from landfall.alert_notices
      where notified_at is null
      order by created_at
      limit $1
      for no key update skip locked`,
    values: [limit],
  });
}

export async function markNotified(tx: Tx, notices: readonly { accountId: string; key: string }[]): Promise<void> {
  await tx.query({
    name: 'mark-alert-notices-sent',
    text: `
      update landfall.alert_notices as n set notified_at = now()
      from json_to_recordset($1::json) as t ("accountId" uuid, key text)
      where n.account_id = t."accountId" and n.key = t.key`,
    values: [JSON.stringify(notices)],
  });
}

/** Credentials with which a carrier has answered nothing for `hours` although it was asked. `since`: ISO UTC. */
export async function findFailingCarriers(
  tx: Tx,
  { hours }: { hours: number },
): Promise<{ accountId: string; connector: string; carrier: string; since: string }[]> {
  return readRows<{ accountId: string; connector: string; carrier: string; since: string }>(tx, {
    name: 'find-failing-carriers',
    text: `
      with silent as (
        select connector, credential_id, max(last_success_at) as since
        from landfall.carrier_health
        group by connector, credential_id
        having max(last_success_at) < now() - make_interval(hours => $1) and max(last_error_at) > now() - interval '10 minutes'
      )
      select s.account_id, s.connector, min(s.carrier) as carrier, silent.since
      from silent
      join landfall.carrier_served as s on s.connector = silent.connector and s.credential_id = silent.credential_id
      where s.seen_at > now() - interval '1 day'
      group by s.account_id, s.connector, silent.since`,
    values: [hours],
  });
}
