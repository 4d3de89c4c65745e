-- The last answer byte for byte, with what read it: the same one again need not be read. Worth nothing without `reading_hash`, which is
-- forgotten when the next answer has to be read in full.
alter table landfall.polling
  add column answer_hash bytea,
  add constraint polling_answer_hash_size check (octet_length(answer_hash) = 32);
