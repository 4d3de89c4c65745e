-- An upload of any size. The API stores its rows in chunks as they came; a worker registers each chunk and marks it done in one transaction,
-- so that no row is registered twice and none is lost, whichever process dies.
create table landfall.imports (
  account_id uuid not null,
  id uuid not null default uuidv7(),
  key_id uuid,
  test boolean not null,
  idempotency_key text,
  format text not null,
  -- What the rows are read by: delimiter, columns, defaults. Sent again with the same key it must be the same.
  options jsonb not null,
  dry_run boolean not null,
  state text not null default 'receiving',
  -- Who receives the upload at this moment, and until when it counts as alive.
  receiver uuid,
  receiver_until timestamptz,
  -- An upload that broke may be continued until then.
  resumable_until timestamptz,
  chunks integer not null default 0,
  received bigint not null default 0,
  processed bigint not null default 0,
  created bigint not null default 0,
  existing bigint not null default 0,
  failed bigint not null default 0,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (account_id, id),
  constraint imports_format_known check (format in ('csv', 'ndjson')),
  constraint imports_state_known check (state in ('receiving', 'running', 'completed', 'interrupted')),
  constraint imports_key_length check (length(idempotency_key) between 1 and 255),
  constraint imports_counts check (processed = created + existing + failed and processed <= received)
);

create index imports_by_key on landfall.imports (account_id, test, idempotency_key, created_at) where idempotency_key is not null;
create index imports_ended on landfall.imports (completed_at) where completed_at is not null;
create index imports_receiving on landfall.imports (resumable_until) where state = 'receiving';

-- `rows` is JSON as text (jsonb and text cannot hold every character of a client's file), null once it is done; the hash stays, so that an
-- upload that is sent again is recognised.
create table landfall.import_chunks (
  account_id uuid not null,
  import_id uuid not null,
  number integer not null,
  first_row bigint not null,
  row_count integer not null,
  content_hash bytea not null,
  rows text,
  attempts integer not null default 0,
  retry_at timestamptz,
  done_at timestamptz,
  primary key (account_id, import_id, number),
  constraint import_chunks_import foreign key (account_id, import_id) references landfall.imports (account_id, id) on delete cascade,
  constraint import_chunks_hash_size check (octet_length(content_hash) = 32)
);

create index import_chunks_pending on landfall.import_chunks (account_id, import_id, number) where done_at is null;
create index import_chunks_done on landfall.import_chunks (done_at) where done_at is not null;

create table landfall.import_errors (
  account_id uuid not null,
  import_id uuid not null,
  row_number bigint not null,
  raw text not null,
  code text not null,
  detail text not null,
  mistakes jsonb not null default '[]',
  primary key (account_id, import_id, row_number),
  constraint import_errors_import foreign key (account_id, import_id) references landfall.imports (account_id, id) on delete cascade
);

do $$
declare
  table_name text;
begin
  foreach table_name in array array['imports', 'import_chunks', 'import_errors'] loop
    execute format('alter table landfall.%I enable row level security', table_name);
    execute format('alter table landfall.%I force row level security', table_name);
    execute format(
      'create policy own_account on landfall.%I for all to landfall_app using (account_id = nullif(current_setting(''landfall.account_id'', true), '''')::uuid)',
      table_name
    );
    execute format('create policy system on landfall.%I for all to landfall_system using (true)', table_name);
    execute format('grant select, insert, update, delete on landfall.%I to landfall_app, landfall_system', table_name);
  end loop;
end
$$;
