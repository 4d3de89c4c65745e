-- When the worker last completed a refresh, or started. Null: a worker of an earlier schema.
alter table landfall.workers add column completed_at timestamptz;
