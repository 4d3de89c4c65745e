-- A seldom outcome was found by reading the whole day: 1,805 pages of 100,000 parts, and 103 with this.
create index trace_parts_by_outcome on landfall.trace_parts (outcome, started_at desc) where outcome is not null;
