alter table landfall.imports
  add column file jsonb not null default '{}'::jsonb,
  add column updated bigint not null default 0,
  add column warned bigint not null default 0,
  drop constraint imports_counts,
  drop constraint imports_format_known,
  add constraint imports_counts check (processed = created + existing + updated + failed and processed <= received),
  add constraint imports_format_known check (format = any (array['csv', 'ndjson', 'xlsx']));

create index imports_listed on landfall.imports (account_id, test, id);

alter table landfall.import_errors
  add column line bigint,
  add column severity text not null default 'error',
  add constraint import_errors_severity_known check (severity = any (array['error', 'warning']));

-- Rows were stored as lines of CSV. From here on a row is an object with its line and its cells.
create function landfall.csv_cells(line text, delimiter text) returns jsonb
language sql immutable
as $$
  select coalesce(jsonb_agg(coalesce(replace(cell.parts[1], '""', '"'), cell.parts[2]) order by cell.place), '[]'::jsonb)
  from regexp_matches(
    delimiter || line, delimiter || '(?:"((?:[^"]|"")*)"|([^' || delimiter || ']*))', 'g'
  ) with ordinality as cell (parts, place)
$$;

-- Row-level security binds the owner, too.
set local role landfall_system;

update landfall.import_chunks as c
set rows = (
  select json_agg(
    json_build_object(
      'line', c.first_row + stored.place,
      'content', case
        when i.format = 'csv' and stored.value ->> 1 is null
        then landfall.csv_cells(stored.value ->> 0, coalesce(i.options ->> 'delimiter', ','))::json
        when i.format = 'csv' then json_build_array(stored.value ->> 0)
        else stored.value -> 0
      end,
      'problem', stored.value ->> 1
    )
    order by stored.place
  )::text
  from json_array_elements(c.rows::json) with ordinality as stored (value, place)
)
from landfall.imports as i
where i.account_id = c.account_id and i.id = c.import_id and c.rows is not null;

update landfall.import_errors as e
set raw = landfall.csv_cells(e.raw, coalesce(i.options ->> 'delimiter', ','))::text
from landfall.imports as i
where i.account_id = e.account_id and i.id = e.import_id and i.format = 'csv';

reset role;

drop function landfall.csv_cells(text, text);
