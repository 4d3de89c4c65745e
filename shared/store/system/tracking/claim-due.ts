import type { RefreshClaim } from '#shared/domain/refresh/refresh.ts';
import type { Tx } from '../../open-store.ts';
import { readRows } from '../../read-rows.ts';
import { isDue } from '../../tracking/polling.ts';

/** Work that is scheduled on a connector. */
export type ConnectorWork = {
  connector: string;
  /** Some shipment has a refresh scheduled, now or later. */
  planned: boolean;
  /** Some shipment is due; its refresh may be under way. */
  due: boolean;
};

/** Reads the scheduled work of each of these connectors: one index lookup for each. */
export async function readConnectorWork(tx: Tx, connectors: readonly string[]): Promise<ConnectorWork[]> {
  return readRows<ConnectorWork>(tx, {
    name: 'read-planned-refreshes',
    text: `
      select c.connector, first.next_refresh_at is not null as planned, coalesce(first.next_refresh_at <= now(), false) as due
      from unnest($1::text[]) as c (connector)
      left join lateral (
        select p.next_refresh_at from landfall.polling as p
        where p.connector = c.connector and p.next_refresh_at is not null
        order by p.next_refresh_at
        limit 1
      ) as first on true`,
    values: [connectors],
  });
}

/** A claim with the carrier to query. */
export type DueClaim = RefreshClaim & { carrier: string };

export type ClaimOptions = {
  limit: number;
  leaseS: number;
  /** Accounts whose budget is exhausted. Their shipments stay due and don't delay other accounts. */
  exceptAccounts?: readonly string[];
  /** Up to this many due shipments are scanned in index order. Only tests set it. */
  fewDue?: number;
};

/** Scanning this many takes a few milliseconds. With more, visiting every account with scheduled work is cheaper. */
const defaultFewDue = 5000;

/** Hurried refreshes that go before each other one, which so never waits without end. */
const hurriedPerOther = 3;

/**
 * Claims up to `limit` due shipments of one connector: increments the epoch and leases them for `leaseS` seconds, by
 * Postgres's clock. Round-robin over the accounts with due work: each account's oldest first, then each one's second
 * oldest, so that an account with a million due rows doesn't delay the others. The order of the accounts is random:
 * with a small limit, the account with the oldest backlog would otherwise always win. Three hurried ones go before each
 * other one, within an account and among them, also of accounts whose budget is exhausted: part of each budget is kept
 * for them. An expired lease is due again. A
 * small number of due shipments is scanned in index order, so that accounts with nothing due cost nothing. With a
 * larger number, the accounts with scheduled work are visited in turn, so that none has to be found behind another
 * account's million rows.
 */
export async function claimDue(tx: Tx, connector: string, options: ClaimOptions): Promise<DueClaim[]> {
  const rows = await readRows<{
    accountId: string;
    shipmentId: string;
    epoch: number;
    carrier: string;
    hurried: boolean;
  }>(tx, {
    name: 'claim-due',
    text: `
      with recursive first_due as materialized (
        select account_id, shipment_id, next_refresh_at, lease_until, hurried
        from landfall.polling
        where connector = $1 and next_refresh_at <= now()
        order by next_refresh_at
        limit $5::int + 1
      ),
      accounts_with_work as (
        (
          select account_id from landfall.polling
          where connector = $1 and next_refresh_at is not null and (select count(*) from first_due) > $5::int
          order by account_id
          limit 1
        )
        union all
        select (
          select p.account_id from landfall.polling as p
          where p.connector = $1 and p.next_refresh_at is not null and p.account_id > a.account_id
          order by p.account_id
          limit 1
        )
        from accounts_with_work as a
        where a.account_id is not null
      ),
      hurried as (
        select account_id, shipment_id, row_number() over (partition by account_id order by next_refresh_at) as place
        from landfall.polling
        where connector = $1 and hurried and next_refresh_at <= now() and (lease_until is null or lease_until <= now())
      ),
      turns as (
        select account_id, shipment_id, place + (place - 1) / ${hurriedPerOther} as turn from hurried
        union all
        select account_id, shipment_id, ${hurriedPerOther + 1} * row_number() over (partition by account_id order by next_refresh_at)
        from first_due
        where (select count(*) from first_due) <= $5::int
          and (lease_until is null or lease_until <= now()) and not hurried and account_id <> all ($4::uuid[])
        union all
        select d.account_id, d.shipment_id, ${hurriedPerOther + 1} * d.turn
        from accounts_with_work as a
        cross join lateral (
          select p.account_id, p.shipment_id, p.next_refresh_at, row_number() over (order by p.next_refresh_at) as turn
          from landfall.polling as p
          where p.connector = $1 and p.account_id = a.account_id and p.next_refresh_at <= now()
            and (p.lease_until is null or p.lease_until <= now()) and not p.hurried
          order by p.next_refresh_at
          limit $2
        ) as d
        where a.account_id is not null and a.account_id <> all ($4::uuid[])
      ),
      due as (
        select account_id, shipment_id from turns order by turn, random() limit $2
      ),
      locked as (
        select p.account_id, p.shipment_id
        from landfall.polling as p
        join due using (account_id, shipment_id)
        where ${isDue} and (p.lease_until is null or p.lease_until <= now())
        for update of p skip locked
      )
      update landfall.polling as p
      set epoch = p.epoch + 1, lease_until = now() + make_interval(secs => $3)
      from locked
      join landfall.shipments as s on s.account_id = locked.account_id and s.id = locked.shipment_id
      where p.account_id = locked.account_id and p.shipment_id = locked.shipment_id
      returning p.account_id, p.shipment_id, p.epoch, s.carrier, p.hurried`,
    values: [connector, options.limit, options.leaseS, options.exceptAccounts ?? [], options.fewDue ?? defaultFewDue],
  });
  return rows.map((row) => ({
    accountId: row.accountId,
    shipmentId: row.shipmentId,
    epoch: row.epoch,
    carrier: row.carrier,
    ...(row.hurried ? { hurried: true } : {}),
  }));
}

/**
 * Releases claims immediately, so that the next sweep claims them again. A claim with a newer epoch stays unchanged.
 */
export async function releaseClaims(tx: Tx, claims: RefreshClaim[]): Promise<void> {
  await tx.query({
    name: 'release-claims',
    text: `
      update landfall.polling as p
      set lease_until = null
      from json_to_recordset($1::json) as c ("accountId" uuid, "shipmentId" uuid, epoch bigint)
      where p.account_id = c."accountId" and p.shipment_id = c."shipmentId" and p.epoch = c.epoch`,
    values: [JSON.stringify(claims)],
  });
}

/** Postpones claims by a number of milliseconds from Postgres's now. Claims with the same wait keep their order. */
export async function postponeClaims(tx: Tx, claims: readonly (RefreshClaim & { waitMs: number })[]): Promise<void> {
  if (claims.length === 0) return;
  await tx.query({
    name: 'postpone-claims',
    text: `
      update landfall.polling as p
      set lease_until = null, next_refresh_at = now() + c."waitMs" * interval '1 millisecond'
      from json_to_recordset($1::json) as c ("accountId" uuid, "shipmentId" uuid, epoch bigint, "waitMs" float8)
      where p.account_id = c."accountId" and p.shipment_id = c."shipmentId" and p.epoch = c.epoch and p.next_refresh_at is not null`,
    values: [JSON.stringify(claims)],
  });
}
