import { type TransportMode, transportModes } from '../events/transport-mode.ts';
import { identifierKeys } from '../record/shipment.ts';
import { identifierRules, keyOfAlias } from './identifier-rules.ts';

/** Names that other tracking services, or other parts of this one, use for a field or parameter of ours. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  transport_mode: ['mode', 'mode_of_transport', 'transportation_mode', 'shipment_type'],
  carrier: [
    'scac',
    'carrier_scac',
    'carrier_code',
    'carrier_id',
    'carrier_name',
    'courier',
    'courier_code',
    'slug',
    'shipping_line',
    'shipping_line_scac',
    'line',
    'airline',
  ],
  reference: ['ref', 'ref_number', 'ref_numbers', 'reference_number', 'reference_numbers', 'customer_reference'],
  tag: ['label', 'labels'],
  tags: ['label', 'labels', 'shipment_tags'],
  metadata: ['custom_fields', 'meta', 'attributes'],
  destination_postal_code: ['postal_code', 'zip', 'zip_code', 'destination_zip', 'tracking_postal_code'],
  q: ['query', 'search', 'keyword', 'term'],
  query: ['q', 'search', 'keyword', 'term'],
  sort: ['order', 'order_by', 'sort_by'],
  limit: ['per_page', 'page_size', 'size', 'count'],
  cursor: ['page', 'page_token', 'offset', 'starting_after', 'after'],
  updated_since: ['since', 'updated_after', 'updated_from', 'modified_since', 'updated_at_min'],
  eta_from: ['eta_after', 'arrival_from'],
  eta_to: ['eta_before', 'arrival_to'],
};

/** Equivalents of another mode's identifiers in this one: an ocean bill of lading is an mbl, not a bol. */
const counterparts: Readonly<Record<TransportMode, Readonly<Record<string, string>>>> = {
  ocean: { bol: 'mbl', awb: 'mbl', waybill: 'mbl', hawb: 'hbl', equipment: 'container', railcar: 'container' },
  air: { mbl: 'awb', bol: 'awb', waybill: 'awb', tracking_number: 'awb', hbl: 'hawb' },
  parcel: { awb: 'tracking_number', waybill: 'tracking_number', pro: 'tracking_number', bol: 'tracking_number' },
  road: { tracking_number: 'pro', waybill: 'pro', mbl: 'bol', hbl: 'bol', container: 'equipment' },
  rail: { tracking_number: 'waybill', awb: 'waybill', pro: 'waybill', hbl: 'bol', equipment: 'railcar' },
};

/**
 * The name of ours that an unknown name stands for: one of `names`, or with a dot one inside `identifiers` if that is
 * one of them. Null: none. `mode` null: not known yet.
 */
export function ownNameOf(name: string, names: readonly string[], mode: TransportMode | null): string | null {
  const sought = snakeCase(name);
  const field = names.find((own) => own !== name && (own === sought || otherNames[own]?.includes(sought)));
  if (field !== undefined) return field;
  const key = identifierKeyOf(sought, mode);
  if (key === null) return null;
  if (names.includes(key)) return key;
  if (names.includes('identifiers')) return `identifiers.${key}`;
  return names.includes('identifier') ? 'identifier' : null;
}

/** The identifier key of this mode that a name of another mode, or of another service, stands for. Null: none. */
export function identifierKeyOf(name: string, mode: TransportMode | null): string | null {
  const sought = snakeCase(name);
  const modes = mode === null ? transportModes : [mode];
  for (const one of modes) {
    const key = keyOfAlias(one, sought);
    if (key !== null) return key;
  }
  if (mode === null) return null;
  const foreign = identifierKeyOf(sought, null);
  const local = foreign === null ? undefined : counterparts[mode][foreign];
  return identifierKeys.find((key) => key === local && identifierRules[mode][key] !== undefined) ?? null;
}

/** `containerNumber` and `Container-Number` are `container_number`. Untrusted names are cut. */
function snakeCase(name: string): string {
  return name
    .slice(0, 64)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}
