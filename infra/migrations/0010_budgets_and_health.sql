-- What carriers may still be asked, where there is no Redis. Lost in a crash, after which the buckets are full: one burst more at most.
create unlogged table landfall.token_buckets (
  key text not null,
  tokens double precision not null,
  filled_at timestamptz not null,
  closed_until timestamptz,
  primary key (key)
) with (fillfactor = 50);

-- Takes up to `wanted` tokens that are above `keep`, or exactly `wanted` when `forced` (also fewer than none: they are given back), by the
-- database's clock and under the row's lock. `close_ms` above 0 closes the bucket for that long: nothing is then granted without force.
create function landfall.take_tokens(
  bucket_key text, capacity double precision, per_ms double precision, wanted double precision, keep double precision, forced boolean,
  close_ms double precision
) returns table (granted double precision, tokens double precision, closed_ms double precision)
language plpgsql
set search_path = landfall, pg_temp
as $$
#variable_conflict use_column
declare
  stored landfall.token_buckets%rowtype;
  clock timestamptz;
  filled double precision;
  closing timestamptz;
  given double precision := 0;
begin
  insert into landfall.token_buckets as b (key, tokens, filled_at) values (bucket_key, capacity, clock_timestamp()) on conflict do nothing;
  select * into strict stored from landfall.token_buckets as b where b.key = bucket_key for update;
  -- Read after the lock: whoever waited for it must not count the time of the one before twice.
  clock := clock_timestamp();
  filled := least(capacity, stored.tokens + greatest(0, extract(epoch from clock - stored.filled_at)::double precision * 1000) * per_ms);
  closing := greatest(stored.closed_until, case when close_ms > 0 then clock + close_ms * interval '1 millisecond' end);
  if forced then
    given := wanted;
  elsif closing is null or closing <= clock then
    given := greatest(0, least(wanted, floor(filled - keep + 1e-9)));
  end if;
  filled := least(capacity, filled - given);
  update landfall.token_buckets as b set tokens = filled, filled_at = clock, closed_until = closing where b.key = bucket_key;
  return query select given, filled, greatest(0, coalesce(extract(epoch from closing - clock)::double precision * 1000, 0));
end
$$;

revoke all on function landfall.take_tokens(text, double precision, double precision, double precision, double precision, boolean, double precision)
  from public;
grant execute on function
  landfall.take_tokens(text, double precision, double precision, double precision, double precision, boolean, double precision) to landfall_system;

-- Which credential a carrier is asked with for an account; the workers write what they used.
create unlogged table landfall.carrier_served (
  account_id uuid not null,
  connector text not null,
  carrier text not null,
  credential_id text not null,
  seen_at timestamptz not null default now(),
  primary key (account_id, connector, carrier)
);

-- How carriers answer, as each worker saw it lately, by credential.
create unlogged table landfall.carrier_health (
  connector text not null,
  credential_id text not null,
  worker_id uuid not null,
  updated_at timestamptz not null default now(),
  requests integer not null,
  succeeded integer not null,
  latency_p50_ms double precision,
  latency_p95_ms double precision,
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error_reason text,
  circuit text not null,
  budget_left double precision not null,
  closed_until timestamptz,
  lag_s double precision,
  primary key (connector, credential_id, worker_id),
  constraint carrier_health_circuit_known check (circuit in ('closed', 'half_open', 'open'))
) with (fillfactor = 50);

-- Workers that are alive: each one's share of a budget while the store of the buckets is away.
create unlogged table landfall.workers (
  id uuid not null,
  seen_at timestamptz not null default now(),
  primary key (id)
) with (fillfactor = 50);

-- Refreshes planned for the next hour, what is overdue included; counted by one worker for all.
create unlogged table landfall.carrier_demand (
  account_id uuid not null,
  connector text not null,
  refreshes integer not null,
  counted_at timestamptz not null default now(),
  primary key (account_id, connector)
);

do $$
declare
  table_name text;
begin
  foreach table_name in array array['token_buckets', 'carrier_served', 'carrier_health', 'workers', 'carrier_demand'] loop
    execute format('alter table landfall.%I enable row level security', table_name);
    execute format('alter table landfall.%I force row level security', table_name);
    execute format('create policy system on landfall.%I for all to landfall_system using (true)', table_name);
    execute format('grant select, insert, update, delete on landfall.%I to landfall_system', table_name);
  end loop;
end
$$;

-- An account sees how the credentials do that serve it, and no others.
create policy own_account on landfall.carrier_served for select to landfall_app
  using (account_id = nullif(current_setting('landfall.account_id', true), '')::uuid);
create policy own_account on landfall.carrier_health for select to landfall_app
  using (exists (
    select from landfall.carrier_served as s
    where s.account_id = nullif(current_setting('landfall.account_id', true), '')::uuid
      and s.connector = carrier_health.connector and s.credential_id = carrier_health.credential_id
  ));
grant select on landfall.carrier_served, landfall.carrier_health to landfall_app;
