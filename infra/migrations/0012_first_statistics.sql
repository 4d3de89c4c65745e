-- A table that was never analysed refreshes so small to the planner that every index costs the same, and it takes any that begins with the account:
-- foreign keys and lookups of a new installation then read all rows of the account, until the first autoanalyze. A first guess of its density
-- makes the right index cheaper from the first page on; analyze replaces it.
select pg_restore_relation_stats('schemaname', 'landfall', 'relname', c.relname::text, 'relpages', 1, 'reltuples', 1000::real)
from pg_class as c
where c.relnamespace = 'landfall'::regnamespace and c.relkind = 'r' and c.reltuples < 0;
