/**
 * SQL that is true of a row `p` of polling that is leased. For statements that find the row by its key, and therefore written so that no index
 * answers it, not even one of what is leased at all (`coalesce`): what statistics know of the moments is over by now, so the planner expects
 * next to nothing there, and would look through all that is leased, or due, for each key.
 */
export const isLeased = `coalesce(p.lease_until - now() > interval '0', false)`;

/** SQL that is true of a row `p` of polling that is due; as `isLeased`. */
export const isDue = `coalesce(p.next_refresh_at - now() <= interval '0', false)`;
