import { type StatusTable, statusTable } from './status-table.ts';

/**
 * Moves of a CODECO or COARRI by its document name (BGM, element 1001). 34, 36, 44, 46, 98 and 270 are those of
 * SMDG's user manuals (D.95B 1.2 and 1.4, D.00B 2.0 and 2.1), the others those of UN/EDIFACT's list. The event codes are
 * those of a full container.
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
