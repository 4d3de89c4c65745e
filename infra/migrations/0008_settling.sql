-- A shipment that has been closed for long is settled: its events, status history and refreshes become one packed row.
create table landfall.settled_shipments (
  account_id uuid not null,
  shipment_id uuid not null,
  packed bytea not null,
  settled_at timestamptz not null default now(),
  constraint settled_shipments_pkey primary key (account_id, shipment_id),
  constraint settled_shipments_shipment foreign key (account_id, shipment_id)
    references landfall.shipments (account_id, id) on delete cascade
);
-- It is compressed already.
alter table landfall.settled_shipments alter column packed set storage external;
select landfall.protect_table(
  'landfall.settled_shipments', 'select, insert, update, delete', 'select, insert, update, delete'
);
grant delete on landfall.status_changes to landfall_system;

alter table landfall.shipments
  add column settled_at timestamptz,
  -- The days to settling count from here if it is later than `closed_at`.
  add column settling_from timestamptz;
create index shipments_to_settle on landfall.shipments (greatest(closed_at, settling_from))
  where closed_at is not null and settled_at is null;
create index shipments_closed on landfall.shipments (account_id, closed_at) where closed_at is not null;

-- The events of a settled shipment's journey are in its packed row.
drop function landfall.read_records(uuid[], uuid[], boolean[], smallint[]);
create function landfall.read_records(of_accounts uuid[], of_ids uuid[], of_tests boolean[], with_shapes smallint[])
  returns table(place integer, id uuid, account_id uuid, test boolean, transport_mode text, service_type text, carrier
    text, carrier_name text, identifiers jsonb, reference text, tags text[], metadata jsonb, destination_postal_code
    text, status text, status_changed_at timestamptz, warnings jsonb, created_at timestamptz, updated_at timestamptz,
    archived_at timestamptz, version bigint, overdue_hours integer, late boolean, state text, reason text, source text,
    last_refreshed_at timestamptz, last_succeeded_at timestamptz, last_changed_at timestamptz, next_refresh_at
    timestamptz, consecutive_failures integer, trace_id text, trace_kept boolean, needs_attention boolean, freshness
    text, packed_journey bytea, journey_text text, record jsonb)
  language plpgsql
  set search_path to 'pg_catalog', 'landfall'
as $$
#variable_conflict use_column
begin
  for turn in 1 .. cardinality(of_ids) loop
    perform set_config('landfall.account_id', of_accounts[turn]::text, true);
    return query
      select turn, s.id, s.account_id, s.test, s.transport_mode, s.service_type, s.carrier, s.carrier_name,
        s.identifiers, s.reference, s.tags, s.metadata, s.destination_postal_code, s.status,
        s.status_changed_at::timestamptz, s.warnings, s.created_at::timestamptz, s.updated_at::timestamptz,
        s.archived_at, s.version, landfall.overdue_hours(s.overdue_from), coalesce(s.late_from <= now(), false),
        p.state, p.reason, p.source, p.last_refreshed_at, p.last_succeeded_at, p.last_changed_at, p.next_refresh_at,
        p.consecutive_failures, p.trace_id, p.trace_kept, s.needs_attention,
        landfall.freshness(p.state, p.last_succeeded_at, p.stale_at),
        coalesce(s.packed_journey, (
          select h.packed from landfall.settled_shipments as h
          where s.settled_at is not null and h.account_id = s.account_id and h.shipment_id = s.id
        )), case when read.has_text then s.journey_text end, case when not read.has_text then s.record end
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      cross join lateral (
        select coalesce(s.journey_shape = with_shapes[turn], false) and num_nonnulls(s.packed_journey, s.journey_text) > 0 as has_text
      ) as read
      where s.account_id = of_accounts[turn] and s.id = of_ids[turn] and s.test = of_tests[turn];
  end loop;
end
$$;
revoke execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) from public;
grant execute on function landfall.read_records(uuid[], uuid[], boolean[], smallint[]) to landfall_app;

-- How long the account keeps closed shipments. Null: as long as the installation does.
alter table landfall.accounts
  add column retention_days integer,
  add column removed_at timestamptz,
  add constraint accounts_retention_days check (retention_days between 1 and 36500);

alter table landfall.api_keys
  drop constraint api_keys_scopes_known,
  add constraint api_keys_scopes_known check (scopes <@ array['shipments:read', 'shipments:write', 'shipments:delete',
    'webhooks:manage', 'carriers:manage', 'keys:manage']);

create index audit_by_subject on landfall.audit (account_id, subject_id) where subject_id is not null;

-- The audit log is append-only while its account exists. Of a removed account, only the removal itself stays.
grant delete on landfall.audit to landfall_system;
create policy only_of_removed on landfall.audit as restrictive for delete to landfall_system
  using (action <> 'account.removed' and not exists (select from landfall.accounts as a where a.id = account_id));

grant delete on landfall.account_feeds to landfall_system;
grant delete on landfall.shipment_counts to landfall_system;
