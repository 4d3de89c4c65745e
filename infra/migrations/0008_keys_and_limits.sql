-- Requests a minute of one key, by class; what is not named has the default. Only the operator changes it.
alter table landfall.accounts add column limits jsonb not null default '{}';

alter table landfall.accounts add constraint accounts_limits_known check (
  jsonb_typeof(limits) = 'object'
  and limits - array['read', 'write', 'batch', 'mcp'] = '{}'
  and not jsonb_path_exists(limits, '$.* ? (@.type() != "number" || @ < 1 || @ > 1000000000 || @.floor() != @)')
);

-- Counts of rate limits where there is no Redis. Lost in a crash, which lets at most one window more through; so nothing is written ahead.
create unlogged table landfall.limit_counts (
  key text not null,
  points bigint not null,
  ends_at timestamptz not null,
  primary key (key)
) with (fillfactor = 50);

alter table landfall.limit_counts enable row level security;
alter table landfall.limit_counts force row level security;
create policy system on landfall.limit_counts for all to landfall_system using (true);
grant select, insert, update, delete on landfall.limit_counts to landfall_system;
