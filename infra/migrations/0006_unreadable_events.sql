-- What of a carrier's response could not be read: {"count": …, "reasons": […]}; null: everything could. In polling, that
-- of the last reading, which a refresh without changes repeats.
alter table landfall.polling add column unreadable jsonb;

-- `detail` is the reason in words.
alter table landfall.refreshes add column detail text, add column unreadable jsonb;

-- The owner is not a superuser everywhere, and row-level security is forced.
alter table landfall.polling no force row level security;
alter table landfall.rejected_events no force row level security;
-- Earlier releases recorded these responses without a word, and an unchanged response would not be read again.
update landfall.polling as p
set reading_hash = null, answer_hash = null
where exists (
  select from landfall.rejected_events as r where r.account_id = p.account_id and r.shipment_id = p.shipment_id
);
alter table landfall.rejected_events force row level security;
alter table landfall.polling force row level security;

-- New credentials make shipments due that the carrier showed to others only.
drop index landfall.polling_waiting_credentials;
create index polling_waiting_credentials on landfall.polling (account_id, connector)
  where reason in ('credentials_missing', 'carrier_auth_failed', 'data_withheld') and next_refresh_at is not null;
