-- The last day of the operations screens: one row for each five minutes, from whichever worker is first. `connectors`:
-- calls and successes of the five minutes before, and whether calls were limited, by connector.
create table landfall.operations_samples (
  at timestamptz not null,
  oldest_due_s double precision not null,
  calls_per_minute integer not null,
  troubled integer not null,
  failed_refreshes integer not null,
  feed_age_s double precision not null,
  connectors jsonb not null,
  primary key (at),
  constraint operations_samples_connectors_size check (octet_length(connectors::text) <= 20000)
);

select landfall.protect_table('landfall.operations_samples');

-- Owners can rename their account, so its name no longer says whether it is the one that runs the installation.
alter table auth.organizations add column runs_installation boolean not null default false;

-- The owner of a table is bound by its policies, too.
alter table landfall.accounts no force row level security;
update auth.organizations as o
set runs_installation = true
from landfall.accounts as a
where a.id = o.id and a.name = 'default';
alter table landfall.accounts force row level security;
