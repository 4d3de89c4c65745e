type Fields = Record<string, unknown>;

const groups = { shipmentEvent: 'SHIPMENT', transportEvent: 'TRANSPORT', equipmentEvent: 'EQUIPMENT' } as const;

/**
 * Converts HMM's response, an object or a list of objects, to the standard's shape. HMM sends `shipmentEvent`,
 * `transportEvent` and `equipmentEvent` next to one `equipment` and the vessels' `transportCall`s, which supply the
 * fields that an event omits. Null when the response has no such groups.
 */
export function ungroupHmmEvents(body: unknown): unknown[] | null {
  const objects = listOf(body).filter(isFields);
  const grouped = objects.filter((object) =>
    Object.keys(groups).some((name) => object[name] !== undefined && object[name] !== null),
  );
  if (grouped.length === 0) return null;
  return grouped.flatMap(ungroup);
}

function ungroup(object: Fields): unknown[] {
  const equipment = isFields(object.equipment) ? object.equipment : {};
  const calls = listOf(object.transportCall).filter(isFields);
  return Object.entries(groups).flatMap(([name, eventType]) =>
    listOf(object[name]).map((event) => {
      if (!isFields(event)) return event;
      const own = { eventType, ...event };
      if (eventType === 'SHIPMENT') return own;
      const known = eventType === 'EQUIPMENT' ? pick(equipment, ['equipmentReference', 'ISOEquipmentCode']) : {};
      return {
        ...known,
        ...own,
        ...(isFields(event.transportCall) ? { transportCall: fullCall(event.transportCall, calls) } : {}),
      };
    }),
  );
}

/** The vessel's call with the vessel and voyage listed for its port, if the port is listed exactly once. */
function fullCall(call: Fields, listed: readonly Fields[]): Fields {
  const mode = typeof call.modeOfTransport === 'string' ? call.modeOfTransport.toUpperCase() : null;
  if (mode !== 'VESSEL' || isFields(call.vessel)) return call;
  const name = call.transportCallID === undefined ? 'UNLocationCode' : 'transportCallID';
  const same = listed.filter((each) => typeof call[name] === 'string' && each[name] === call[name]);
  return same.length === 1 ? { ...same[0], ...call } : call;
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => typeof fields[name] === 'string').map((name) => [name, fields[name]]),
  );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
