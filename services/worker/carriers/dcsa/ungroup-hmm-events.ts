type Fields = Record<string, unknown>;

const groups = { shipmentEvent: 'SHIPMENT', transportEvent: 'TRANSPORT', equipmentEvent: 'EQUIPMENT' } as const;

/**
 * The events in HMM's answer, an object or a list of them, in the standard's shape: `shipmentEvent`, `transportEvent` and `equipmentEvent`
 * beside one `equipment` and the ships' `transportCall`s. What stands beside the events fills in what an event leaves out. Null when the
 * answer has no such groups.
 */
export function ungroupHmmEvents(body: unknown): unknown[] | null {
  const objects = listOf(body).filter(isFields);
  const grouped = objects.filter((object) => Object.keys(groups).some((name) => name in object));
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

/** A ship's call with the ship and voyage that are listed for its port, when they are listed once. */
function fullCall(call: Fields, listed: readonly Fields[]): Fields {
  if (String(call.modeOfTransport).toUpperCase() !== 'VESSEL' || isFields(call.vessel)) return call;
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
