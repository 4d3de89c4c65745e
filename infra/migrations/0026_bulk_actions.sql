-- One action on many shipments, such as archiving all of a list. Workers find the shipments of its filter, store them in
-- parts, and then run one part in a transaction after the other: what a killed worker had not committed runs again.

create table landfall.bulk_actions (
  account_id uuid not null references landfall.accounts (id) on delete cascade,
  id uuid not null default uuidv7(),
  test boolean not null,
  action jsonb not null,
  filter jsonb,
  undoes uuid,
  state text not null,
  -- Where finding continues: the last shipment that was found.
  position jsonb,
  total integer not null default 0,
  processed integer not null default 0,
  changed integer not null default 0,
  failed integer not null default 0,
  limited boolean not null default false,
  failures jsonb not null default '[]',
  attempts smallint not null default 0,
  retry_at timestamptz,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  primary key (account_id, id),
  constraint bulk_actions_undone_once unique (account_id, undoes),
  constraint bulk_actions_state_known check (state in ('finding', 'running', 'completed', 'cancelled')),
  constraint bulk_actions_end check ((completed_at is null) = (state in ('finding', 'running'))),
  constraint bulk_actions_counts check (changed + failed <= processed and processed <= total)
);
create index bulk_actions_open on landfall.bulk_actions (account_id, id) where completed_at is null;
create index bulk_actions_old on landfall.bulk_actions (completed_at) where completed_at is not null;
select landfall.protect_table('landfall.bulk_actions', for_app => 'select, insert, update');

-- Up to 50 shipments that run in one transaction, and those of them that were changed.
create table landfall.bulk_action_parts (
  account_id uuid not null,
  bulk_action_id uuid not null,
  number integer not null,
  shipment_ids uuid[] not null,
  changed_ids uuid[],
  primary key (account_id, bulk_action_id, number),
  constraint bulk_action_parts_action foreign key (account_id, bulk_action_id)
    references landfall.bulk_actions (account_id, id) on delete cascade
);
create index bulk_action_parts_open on landfall.bulk_action_parts (account_id, bulk_action_id, number)
  where changed_ids is null;
select landfall.protect_table('landfall.bulk_action_parts', for_app => 'select, insert, update');
