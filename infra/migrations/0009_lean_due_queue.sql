-- A claim writes only the lease and the epoch of a polling row. With neither in an index, and room on the page,
-- PostgreSQL updates the row in place (HOT). The leases of an account are among its due rows, which another index has.
drop index landfall.polling_leases;

-- Space for two more versions of a tenth of the rows. Pages that are fuller get it as vacuum and pruning empty them.
alter table landfall.polling set (fillfactor = 85);
