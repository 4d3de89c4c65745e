-- Both are null on most rows, so that the rows which polling rewrites stay narrow. `tracking_since` null: since the registration.
alter table landfall.polling
  add column tracking_since timestamptz,
  add column requested_at timestamptz;
