import { type StatusTable, statusTable } from './status-table.ts';

/**
 * Moves of a CODECO or COARRI by its document name (BGM, element 1001). 109, 111, 113, 117, 119 and 122 have this
 * meaning in UN/EDIFACT's list. 34, 36, 46 and 98 mean something else there: the table has them, and 270, as terminals
 * send them in messages of D.95B. The event codes are those of a full container.
 */
export const gateReports: StatusTable = statusTable(`
  34 gate_in_full/gate_in_empty Gate in
  36 gate_out_full/gate_out_empty Gate out
  109 gate_in_full/gate_in_empty Gate in
  111 gate_out_full/gate_out_empty Gate out
  113 other Unpacked
  117 other Shifted
`);

/** Senders use 44 for both: the port in the message's header says which. It is not in the table. */
export const vesselReports: StatusTable = statusTable(`
  46 loaded Loaded
  98 discharged Discharged
  117 other Shifted
  119 discharged Discharged
  122 loaded Loaded
  270 loaded Loaded
`);
