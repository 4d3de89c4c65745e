import pg from 'pg';
import { composeJourney } from '#shared/domain/journey/journey.ts';

export type Seed = { databaseUrl: string; accountId: string; count: number };

/**
 * Stores many different shipments as refreshes would have left them: every status, six carriers, rare and common tags,
 * 40 ports, times spread over a year. Every hundredth has no ETA. Every tenth has a clock of free time, some of them
 * without known terms.
 */
export async function seedShipments({ databaseUrl, accountId, count }: Seed): Promise<void> {
  const journey = JSON.stringify(composeJourney({ events: [], transportMode: 'ocean' }, 0));
  const nothing = { planned: null, estimated: null, actual: null };
  const leg = JSON.stringify({
    sequence: 1,
    mode: 'ocean',
    from: null,
    to: null,
    departure: nothing,
    arrival: nothing,
  });
  const vehicle = JSON.stringify({ name: null, imo: null, voyage: null, flight: null });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(
      `
      insert into landfall.shipments (
        account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, reference, tags, metadata, status,
        status_changed_at, has_exception, exception_codes, eta, eta_day, departed_at, departed_day, delivered_at, delivered_day, delay_hours, late_from,
        origin_unlocode, origin_name,
        origin_country, destination_unlocode, destination_name, destination_country, last_event_at, record,
        search_text, search_terms, created_at, updated_at, free_time_states, last_free_day, reference_list
      )
      select
        $1, false, 'ocean', line.carrier, line.carrier, 'dcsa', jsonb_build_object('mbl', line.mbl), 'PO-' || n,
        case when n % 5000 = 7 then array['rare'] when n % 3 = 0 then array['common', 'acme'] else '{}'::text[] end,
        jsonb_build_object('desk', (n % 3)::text, 'lot', (n % 5000)::text),
        line.status, line.created_at, n % 20 = 0, case when n % 20 = 0 then array['customs_hold'] else '{}'::text[] end,
        line.eta, (line.eta at time zone 'UTC')::date, line.created_at + interval '5 days',
        ((line.created_at + interval '5 days') at time zone 'UTC')::date,
        case when line.status = 'delivered' then line.eta end,
        case when line.status = 'delivered' then (line.eta at time zone 'UTC')::date end, case when n % 30 = 0 then 36 when n % 2 = 0 then 0 end,
        case when n % 30 = 0 then '-infinity' when n % 2 = 0 then line.eta + interval '1 day' end,
        line.origin, line.origin_name, left(line.origin, 2),
        line.destination, line.destination_name, left(line.destination, 2),
        line.created_at, $3::jsonb || jsonb_build_object(
          'status', line.status,
          'legs', jsonb_build_array($4::jsonb || jsonb_build_object('vehicle', $5::jsonb || jsonb_build_object('name', 'VESSEL ' || n % 4999))),
          'containerStatusCounts', jsonb_build_object(case when n % 5000 = 7 then 'failed' else 'in_transit' end, 1)
        ),
        lower(concat_ws(E'\\n', 'PO-' || n, line.carrier, line.mbl, line.origin_name, line.origin,
          line.destination_name, line.destination, 'vessel ' || md5((n % 997)::text),
          case when n % 5000 = 9 then '鹿特丹' end)),
        array[
          'origin ' || line.origin, 'origin ' || left(line.origin, 2),
          'destination ' || line.destination, 'destination ' || left(line.destination, 2),
          'meta desk=' || n % 3, 'meta lot=' || n % 5000, 'vessel vessel ' || n % 4999,
          'container ' || case when n % 5000 = 7 then 'failed' else 'in_transit' end
        ]
          || case when n % 5000 = 7 then array['tag rare'] when n % 3 = 0 then array['tag common', 'tag acme'] else '{}' end
          || case when n % 5000 = 9 then array['pair 鹿特', 'pair 特丹'] else '{}' end,
        line.created_at, line.created_at,
        case when n % 10 = 0 then array[(array['running', 'expiring', 'over', 'unknown_terms', 'stopped'])[1 + n / 10 % 5]] else '{}' end,
        case when n % 10 = 0 and n / 10 % 5 < 3 then current_date + n % 70 end,
        case when n % 20 = 0 then array['PO-' || n, 'ORDER-' || n] else '{}' end
      from generate_series(1, $2::int) as n
      cross join lateral (
        select
          (array['MAEU', 'HLCU', 'CMDU', 'MSCU', 'ONEY', 'EGLV'])[1 + n % 6] as carrier,
          'MAEU' || (100000000 + n) as mbl,
          (array['pending', 'booked', 'in_transit', 'arrived', 'available_for_pickup', 'out_for_delivery', 'delivered',
            'returned', 'failed', 'cancelled'])[case when n % 1000 = 0 then 9 else 1 + n % 8 end] as status,
          'A' || chr(65 + n % 10) || 'X' || lpad((n % 40)::text, 2, '0') as origin,
          'harbour ' || md5((n % 40)::text) as origin_name,
          'B' || chr(65 + n % 10) || 'Y' || lpad((n % 37)::text, 2, '0') as destination,
          'haven ' || md5((n % 37)::text) as destination_name,
          date_trunc('milliseconds', now() - interval '1 day' - n * interval '10 minutes') as created_at,
          case when n % 100 <> 0 then date_trunc('milliseconds', now() + (n % 5000) * interval '1 hour') end as eta
      ) as line`,
      [accountId, count, journey, leg, vehicle],
    );
    await client.query(
      `
      insert into landfall.shipment_identifiers (
        account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier
      )
      select account_id, id, 'mbl', identifiers ->> 'mbl', substr(identifiers ->> 'mbl', 5), 'client', false, 'ocean',
        carrier
      from landfall.shipments where account_id = $1`,
      [accountId],
    );
    await client.query(
      `
      insert into landfall.polling (
        account_id, shipment_id, connector, state, stale_at, last_succeeded_at, next_refresh_at
      )
      select account_id, id, 'dcsa',
        case when delay_hours = 36 then 'degraded' when has_exception then 'failed' else 'active' end,
        case when hashtext(id::text) % 50 = 0 then now() - interval '1 hour' else now() + interval '1 day' end,
        now(), now() + interval '1 day'
      from landfall.shipments where account_id = $1`,
      [accountId],
    );
    await client.query('commit');
    await client.query(
      'vacuum analyze landfall.shipments, landfall.shipment_identifiers, landfall.polling, landfall.shipment_search',
    );
  } finally {
    await client.end();
  }
}
