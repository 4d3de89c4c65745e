import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';
import type { EndpointClaim } from './claims.ts';

export type RunningReplay = { id: string; sequence: number; to: number; failedOnly: boolean };

/** The running replay of an endpoint, or null. */
export async function readRunningReplay(
  tx: Tx,
  { accountId, endpointId }: Pick<EndpointClaim, 'accountId' | 'endpointId'>,
): Promise<RunningReplay | null> {
  const rows = await readRows<RunningReplay>(tx, {
    name: 'read-running-webhook-replay',
    text: `
      select id, sequence, to_sequence as "to", failed_only from landfall.webhook_replays
      where account_id = $1 and endpoint_id = $2 and state = 'running'`,
    values: [accountId, endpointId],
  });
  return rows[0] ?? null;
}

export type ReplayedChange = { sequence: number; changeId: string; shipmentId: string | null; type: string };

/**
 * Makes deliveries of a part of the range due and moves the replay to `sequence`. Changes that the endpoint has not come
 * to yet are left to it. False: the claim or the replay has ended.
 */
export async function parkReplayed(
  tx: Tx,
  claim: EndpointClaim,
  part: { replayId: string; sequence: number; failedOnly: boolean; changes: readonly ReplayedChange[] },
): Promise<boolean> {
  const { accountId, endpointId, epoch } = claim;
  const rows = await readRows<{ held: boolean }>(tx, {
    name: 'park-replayed-webhook-deliveries',
    text: `
      with held as (
        select c.sequence from landfall.webhook_cursors as c
        join landfall.webhook_replays as r on r.account_id = c.account_id and r.endpoint_id = c.endpoint_id
        where c.account_id = $1 and c.endpoint_id = $2 and c.epoch = $3 and r.id = $4 and r.state = 'running'
        for no key update of c, r
      ),
      wanted as (
        select o.*
        from json_to_recordset($5::json) as o (sequence bigint, "changeId" uuid, "shipmentId" uuid, type text)
        cross join held as h
        left join landfall.webhook_deliveries as d on d.account_id = $1 and d.endpoint_id = $2 and d.sequence = o.sequence
        where o.sequence <= h.sequence and (d.state is distinct from 'waiting')
          and (not $6::boolean or coalesce(d.state = 'exhausted', false))
      ),
      parked as (
        insert into landfall.webhook_deliveries (account_id, endpoint_id, sequence, change_id, shipment_id, type, state, tries, next_try_at)
        select $1, $2, w.sequence, w."changeId", w."shipmentId", w.type, 'waiting', 0, now() from wanted as w
        on conflict (account_id, endpoint_id, sequence) where sequence is not null do update
        set state = 'waiting', next_try_at = now()
        returning sequence
      ),
      waiting as (
        -- They are tried at once too.
        update landfall.webhook_deliveries as d
        set next_try_at = now()
        from json_to_recordset($5::json) as o (sequence bigint), held
        where d.account_id = $1 and d.endpoint_id = $2 and d.sequence = o.sequence and d.state = 'waiting' and d.next_try_at > now()
        returning d.sequence
      ),
      moved as (
        update landfall.webhook_replays as r
        set sequence = $7, queued = r.queued + (select count(*) from parked) + (select count(*) from waiting),
          state = case when $7 >= r.to_sequence then 'done' else r.state end,
          completed_at = case when $7 >= r.to_sequence then now() end
        from held
        where r.account_id = $1 and r.id = $4
      )
      select exists (select from held) as held`,
    values: [accountId, endpointId, epoch, part.replayId, JSON.stringify(part.changes), part.failedOnly, part.sequence],
  });
  return rows[0]?.held === true;
}
