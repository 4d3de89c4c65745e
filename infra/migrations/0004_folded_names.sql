-- Searches compare names without diacritics, case and punctuation: the same rules as foldText and foldName in
-- shared/domain. Stored texts are in lower case already. Texts of plain letters need no change. Character classes such
-- as [:alnum:] depend on the database's locale, so that ranges are named.
create function landfall.fold_text(written text) returns text
language sql immutable parallel safe set search_path = pg_catalog
return replace(replace(replace(replace(
  translate(
    lower(normalize(regexp_replace(normalize(written, nfkd), '[\u0300-\u036f]', '', 'g'), nfc)),
    'øłđðħı', 'olddhi'
  ),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

create function landfall.fold_name(written text) returns text
language sql immutable parallel safe set search_path = pg_catalog, landfall
return trim(regexp_replace(
  landfall.fold_text(written), '[\x01-\x2f\x3a-\x60\x7b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'
));

-- The owner is not a superuser everywhere, and row-level security is forced.
alter table landfall.shipments no force row level security;
alter table landfall.shipment_search no force row level security;
update landfall.shipments
set origin_name = landfall.fold_name(origin_name),
  destination_name = landfall.fold_name(destination_name),
  search_text = landfall.fold_text(search_text)
where origin_name ~ '[^a-z0-9 ]' or destination_name ~ '[^a-z0-9 ]' or search_text ~ '[^\x01-\x7f]';
alter table landfall.shipment_search force row level security;
alter table landfall.shipments force row level security;

drop function landfall.fold_name(text);
drop function landfall.fold_text(text);
