-- Shipments on the way are drawn where they should be by the departure and the ETA of their leg. Both become part of
-- `position` and of `map_key` when the record is composed again.
update landfall.shipments
set recompose = true
where position ->> 'moving' = 'true' and closed_at is null and not recompose;
