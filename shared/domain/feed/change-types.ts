/** Changes of a shipment. */
export const shipmentChangeTypes = [
  'shipment.created',
  'shipment.updated',
  'shipment.status_changed',
  'shipment.eta_changed',
  'shipment.event_added',
  'shipment.exception_opened',
  'shipment.exception_resolved',
  'shipment.delivered',
  'shipment.container_added',
  'shipment.tracking_state_changed',
  'shipment.stale',
  'shipment.overdue',
  'shipment.free_time_changed',
  'shipment.assignee_changed',
  'shipment.note_added',
  'shipment.note_edited',
  'shipment.note_deleted',
] as const;

/** Every type of change in the feed. Clients must accept new ones. */
export const changeTypes = [...shipmentChangeTypes, 'webhook.disabled'] as const;

export type ShipmentChangeType = (typeof shipmentChangeTypes)[number];
export type ChangeType = (typeof changeTypes)[number];

/**
 * Reasons for disabling a webhook endpoint. `gone`: the receiver responded with 410. `failing`: nothing was delivered
 * for days. `restored`: it is from a backup, and the installation that the backup was taken from may still send.
 */
export const disabledReasons = ['requested', 'gone', 'failing', 'restored'] as const;
export type DisabledReason = (typeof disabledReasons)[number];
