-- How often a test shipment was advanced; null: never. Null on every live row, so that the rows which polling rewrites stay narrow.
alter table landfall.polling add column test_steps integer;

alter table landfall.polling add constraint polling_test_steps_not_negative check (test_steps >= 0);
