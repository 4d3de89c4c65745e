import { held, type StatusTable, statusTable } from './status-table.ts';

/**
 * Transport status codes of UN/EDIFACT (element 4405, before D.96B 9011) by UN/ECE Recommendation 24. The names are the
 * directory's, the mapping to events is ours. Codes that say nothing of where the cargo is are kept as information.
 */
const plain = statusTable(`
  1 arrived Arrived
  2 other Authorized to load
  3 arrived Arrived in defective condition
  4 other Defective equipment released
  5 other Begun
  6 booking_confirmed Booked
  7 cancelled Booking cancelled
  8 other Cleared import restrictions
  9 other Cleared export restrictions
  13 picked_up Collected
  14 other Completed
  15 other Consolidated
  16 in_transit Crossed border
  18 exception!damaged Damaged
  19 other Damaged equipment quoted
  20 delayed Delayed
  21 delivered Delivered
  22 delivered Delivery completed according to instructions
  23 delivery_attempted Delivery not completed
  24 departed Departed
  25 delayed Departure delayed
  26 rail_unloaded Deramped
  27 in_transit Despatched
  28 other Stripped
  29 discharged Discharged
  30 other Empty on inspection
  31 in_transit En route
  32 other Equipment in from repair
  33 other Equipment out for repair
  34 other Equipment repaired
  35 in_transit Expedited to destination
  36 exception Not found
  37 other Found
  40 arrived At port
  41 other Handover
  42 other Handover delivered
  43 in_transit Handover received
  44 in_transit Misrouted consignment forwarded
  45 consignee_notified Consignee informed of arrival
  46 other Into bond
  47 other Into packing depot
  48 loaded Loaded
  49 lost!lost Lost
  50 manifested Manifested
  51 exception Means of transport damaged
  52 exception!vehicle_breakdown Mechanical breakdown
  53 exception No pick-up
  54 other Not identified
  55 other Not collected
  56 delivery_attempted Not delivered
  57 exception Not loaded
  58 other Off hire
  59 exception!offloaded Off-loaded before the planned end
  60 other On hire
  61 other Outstanding claims settled
  62 exception Over-landed
  63 other Package not ready
  64 available_for_pickup Pick-up awaited
  65 other Equipment plugged in
  66 exception Plundered
  67 other Positioned
  68 information_received Pre-informed
  69 destroyed!destroyed Put to refuse
  70 rail_loaded Ramped
  71 other Ready for transportation
  72 other Receipt fully acknowledged
  73 other Receipt partially acknowledged
  74 received_from_shipper Received
  75 other Reconsigned
  76 in_transit Reforwarding on request
  77 exception Action or documents refused
  78 other Released
  79 loaded Reloaded
  80 returned Returned as instructed
  81 exception Returned as wreck
  82 return_started Returned to a previous place
  83 other Sealed
  84 other Service ordered
  85 exception Short-landed
  86 exception!short_shipped Short-shipped
  87 exception!misrouted Sorted wrong route
  88 other Split consignment
  89 other Steam cleaned
  90 notice Stopped
  91 other Stored
  92 other Stowed
  93 stuffed Stuffed
  94 stuffed Stuffed and sealed
  95 other Sub-lease in
  96 other Sub-lease out
  97 other Damage surveyed
  98 gate_in_full/gate_in_empty Transferred in
  99 gate_out_full/gate_out_empty Transferred out
  100 in_transit Transhipment
  101 delayed Transit delay
  102 exception Unknown goods
  103 other Equipment unplugged
`);

export const transportStatusCodes: StatusTable = {
  ...plain,
  10: { code: 'notice', holds: held('agriculture', 'released'), words: 'Cleared by agriculture, food or fisheries' },
  11: { code: 'notice', holds: held('terminal', 'released'), words: 'Cleared by port authority' },
  12: { code: 'customs_released', holds: held('customs', 'released'), words: 'Cleared by customs' },
  17: { code: 'customs_hold', holds: held('customs'), words: 'Customs refusal' },
  38: { code: 'notice', holds: held('freight', 'released'), words: 'Freight paid' },
  39: { code: 'customs_released', holds: held('customs', 'released'), words: 'Released from bond' },
};

/** Meanings of the same codes on a train and on a truck. */
const byMode: Readonly<Record<string, StatusTable>> = {
  rail: statusTable(`
    1 rail_arrived Arrived
    24 rail_departed Departed
    29 rail_unloaded Discharged
    48 rail_loaded Loaded
  `),
  road: statusTable(`
    1 arrived_at_facility Arrived
    24 departed_facility Departed
    29 other Discharged
    48 other Loaded
  `),
  air: statusTable(`
    29 received_from_flight Discharged
    48 manifested Loaded
  `),
};

/** The codes as they are meant in a mode of transport. Null: the message doesn't state one. */
export function transportStatusesOf(mode: string | null): StatusTable {
  return { ...transportStatusCodes, ...byMode[mode ?? ''] };
}
