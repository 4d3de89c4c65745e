import type { VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import { readRows } from '../read-rows.ts';
import { isSimulated } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';

export type VesselPosition = Omit<VehiclePosition, 'vehicle'> & { imo: string; name: string | null };

/** `failures`: rounds in a row that failed before. */
export type PositionRound = { failures: number };

/**
 * Claims the next round of questions to the source of ships' positions, for `everyMs`. Null: it is not due, or another
 * worker has it. A worker that dies in it delays the next one by no more than that.
 */
export async function claimPositionRound(tx: Tx, everyMs: number): Promise<PositionRound | null> {
  const rows = await readRows<PositionRound>(tx, {
    name: 'claim-position-round',
    text: `
      update landfall.position_rounds
      set next_at = now() + $1::float8 * interval '1 millisecond'
      where single and next_at <= now()
      returning failures`,
    values: [everyMs],
  });
  return rows[0] ?? null;
}

/** Notes how the round ended. `failure` null: it succeeded. After a failure, the next round waits for `pauseMs`. */
export async function endPositionRound(
  tx: Tx,
  { failure, pauseMs }: { failure: string | null; pauseMs: number },
): Promise<void> {
  await tx.query({
    name: 'end-position-round',
    text: `
      update landfall.position_rounds
      set failures = case when $1::text is null then 0 else failures + 1 end,
        succeeded_at = case when $1::text is null then now() else succeeded_at end,
        failed_at = case when $1::text is null then failed_at else now() end,
        failure = $1::text,
        next_at = case when $1::text is null then next_at else now() + $2::float8 * interval '1 millisecond' end
      where single`,
    values: [failure, pauseMs],
  });
}

/** Results of the last rounds. Times are ISO UTC. */
export type PositionRounds = { failures: number; succeededAt: string | null; failure: string | null };

export async function readPositionRounds(tx: Tx): Promise<PositionRounds> {
  const rows = await readRows<PositionRounds>(tx, {
    name: 'read-position-rounds',
    text: 'select failures, succeeded_at, failure from landfall.position_rounds where single',
  });
  return rows[0] ?? { failures: 0, succeededAt: null, failure: null };
}

/**
 * IMO numbers after this one of vessels that carry an open shipment now, in order. Test shipments don't count, and
 * simulated ones only by themselves.
 */
export async function readVesselsUnderWay(
  tx: Tx,
  { simulated, after, limit }: { simulated: boolean; after: string; limit: number },
): Promise<string[]> {
  const rows = await readRows<{ imo: string }>(tx, {
    name: 'read-vessels-under-way',
    text: `
      select distinct s.vessel_imo as imo
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      where s.vessel_imo is not null and s.closed_at is null and s.vessel_imo > $2 and not s.test and ${isSimulated} = $1
      order by s.vessel_imo
      limit $3`,
    values: [simulated, after, limit],
  });
  return rows.map(({ imo }) => imo);
}

/** Keeps the positions that are newer than the known ones. Returns how many are. */
export async function keepVesselPositions(
  tx: Tx,
  { simulated, positions }: { simulated: boolean; positions: readonly VesselPosition[] },
): Promise<number> {
  if (positions.length === 0) return 0;
  const { rowCount } = await tx.query({
    name: 'keep-vessel-positions',
    text: `
      insert into landfall.vessel_positions as w (imo, simulated, lat, lng, at, source, name)
      select distinct on (p.imo) p.imo, $1, p.lat, p.lng, p.at, p.source, p.name
      from json_to_recordset($2::json) as p (imo text, lat float8, lng float8, at timestamptz, source text, name text)
      order by p.imo, p.at desc, p.source, p.lat, p.lng
      on conflict (imo, simulated) do update
      set lat = excluded.lat, lng = excluded.lng, at = excluded.at, source = excluded.source, name = excluded.name
      where excluded.at > w.at`,
    values: [simulated, JSON.stringify(positions)],
  });
  return rowCount ?? 0;
}

/** Forgets vessels that carry nothing any more. */
export async function forgetVessels(tx: Tx): Promise<void> {
  await tx.query({
    name: 'forget-vessels',
    text: `
      delete from landfall.vessel_positions as w
      where not exists (
        select from landfall.shipments as s where s.vessel_imo = w.imo and s.closed_at is null
      )`,
  });
}
