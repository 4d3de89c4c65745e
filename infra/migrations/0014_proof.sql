-- Questions that a request leaves for a worker, because only workers call carriers: credentials to try with one call,
-- and documents to fetch. The request writes a row and waits; a worker takes it, which removes the sealed credentials,
-- and writes the answer, which the request deletes as it reads it. Rows live for seconds, and unlogged, so that no log
-- and no backup keeps what was entered or fetched. The request role writes `sealed` and can never read it.
drop table landfall.credential_checks;

create unlogged table landfall.worker_questions (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  question jsonb not null,
  key_version text,
  sealed bytea,
  -- The request's trace, which the worker's span continues.
  traceparent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  taken_at timestamptz,
  answer jsonb,
  -- The fetched document.
  content bytea,
  primary key (account_id, id),
  constraint worker_questions_short_life check (expires_at <= created_at + interval '1 minute'),
  constraint worker_questions_question_size check (octet_length(question::text) <= 16384),
  constraint worker_questions_sealed_size check (octet_length(sealed) <= 131072),
  constraint worker_questions_sealed_whole check ((key_version is null) = (sealed is null)),
  constraint worker_questions_content_size check (octet_length(content) <= 5242880)
);

select landfall.protect_table('landfall.worker_questions', for_app => '
  select (account_id, id, kind, created_at, expires_at, taken_at, answer, content), insert, delete
');

-- Proofs of delivery that were fetched while PROOF_STORE was on. They go with their shipment.
create table landfall.proofs (
  account_id uuid not null,
  shipment_id uuid not null,
  proof_id text not null,
  -- The piece that the document is about, so that an id that has moved on to another piece is fetched again.
  piece text,
  media_type text not null,
  content bytea not null,
  fetched_at timestamptz not null default now(),
  primary key (account_id, shipment_id, proof_id),
  foreign key (account_id, shipment_id) references landfall.shipments (account_id, id) on delete cascade,
  constraint proofs_content_size check (octet_length(content) <= 5242880)
);

select landfall.protect_table('landfall.proofs', for_app => 'select');
