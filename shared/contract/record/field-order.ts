import type { recordFields, summaryFields } from './record-fields.ts';

type RecordField = keyof typeof recordFields;

/**
 * The order in which answers have the fields, so that two answers with the same values are the same text. A field that
 * is not listed comes after those of its part, in the order of its table.
 */
export const summaryOrder = [
  ...['shipment_id', 'transport_mode', 'carrier', 'carrier_name', 'identifiers', 'reference'],
  ...['references', 'tags'],
  ...['status', 'status_changed_at', 'status_detail', 'origin', 'destination', 'departure', 'arrival', 'delivery'],
  ...['eta', 'delay_hours', 'delay_basis', 'service', 'weight_kg', 'pieces_count', 'free_time', 'overdue_hours'],
  ...['late', 'has_exception', 'latest_event', 'tracking', 'needs_attention', 'created_at', 'updated_at'],
  ...['archived_at', 'assignee', 'notes_count', 'version'],
] as const satisfies readonly (keyof typeof summaryFields)[];

/** Of the record, the fields before those of the journey. */
export const headOrder = [
  ...['shipment_id', 'object', 'test', 'transport_mode', 'service_type', 'carrier', 'carrier_name', 'identifiers'],
  ...['reference', 'references', 'tags', 'metadata', 'destination_postal_code', 'status', 'status_changed_at'],
] as const satisfies readonly RecordField[];

export const journeyOrder = [
  ...['status_detail', 'status_evidence', 'latest_event', 'origin', 'destination', 'current_location', 'departure'],
  ...['arrival', 'delivery', 'eta', 'delay_hours', 'delay_basis', 'service', 'weight_kg', 'pieces_count'],
  ...['eta_history', 'legs', 'containers', 'container_status_counts', 'free_time', 'pieces', 'piece_status_counts'],
  ...['pickup_point', 'return', 'exceptions', 'has_exception', 'events_count', 'events'],
] as const satisfies readonly RecordField[];

/** Of the record, the fields after those of the journey. */
export const tailOrder = [
  ...['overdue_hours', 'late', 'current_position', 'tracking', 'needs_attention', 'warnings', 'created_at'],
  ...['updated_at', 'archived_at', 'assignee', 'notes_count', 'version', 'as_of'],
] as const satisfies readonly RecordField[];
