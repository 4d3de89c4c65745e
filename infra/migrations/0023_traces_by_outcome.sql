-- A seldom outcome was found by reading the whole day: 1,725 pages of 100,000 parts, and 105 with this.
create index trace_parts_by_outcome on landfall.trace_parts (outcome, started_at desc) where outcome is not null;
