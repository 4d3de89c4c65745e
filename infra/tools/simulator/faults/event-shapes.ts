/** The path to a list in a response; `*` stands for each element. */
export type ListPath = readonly string[];

export type ShapedEvent = Record<string, unknown>;

/** Location of the events in a carrier's response, and of their ids, times and kinds. Faults need nothing else. */
export type EventShape = {
  lists: readonly ListPath[];
  newestFirst: boolean;
  id: string | null;
  isActual: (event: ShapedEvent) => boolean;
  withoutOffset: (event: ShapedEvent) => ShapedEvent;
  /** Sends the local time as if it were UTC. */
  stampedUtc: (event: ShapedEvent) => ShapedEvent;
  /** Turns an event into one of an unknown kind. */
  strange: ShapedEvent;
  /** The same page, with a link to a next page. */
  looped?: (body: ShapedEvent) => ShapedEvent;
  /** The body with a link to another host. */
  astray?: (body: ShapedEvent, link: string) => ShapedEvent;
};

const isoTimes = (...fields: string[]): Pick<EventShape, 'withoutOffset' | 'stampedUtc'> => ({
  withoutOffset: (event) => changed(event, fields, (time) => time.slice(0, 19)),
  stampedUtc: (event) => changed(event, fields, (time) => `${time.slice(0, 19)}Z`),
});

function changed(event: ShapedEvent, fields: readonly string[], change: (time: string) => string): ShapedEvent {
  const times = fields.flatMap((field): [string, unknown][] => {
    const value = event[field];
    if (typeof value === 'string') return [[field, change(value)]];
    // JSON-LD represents times as objects.
    const inner = value !== null && typeof value === 'object' ? Object(value)['@value'] : undefined;
    return typeof inner === 'string' ? [[field, { ...Object(value), '@value': change(inner) }]] : [];
  });
  return { ...event, ...Object.fromEntries(times) };
}

const dcsa: EventShape = {
  lists: [[]],
  newestFirst: false,
  id: 'eventID',
  isActual: (event) => event.eventClassifierCode === 'ACT',
  ...isoTimes('eventDateTime'),
  strange: { eventType: 'WEATHER', weatherEventTypeCode: 'FOGG' },
};

const parcel = { newestFirst: true, id: null, isActual: () => true };

/** The shapes of the carriers that don't use DCSA's. All others do. */
const shapes: Readonly<Record<string, EventShape>> = {
  maersk: { ...dcsa, lists: [['events']] },
  msc: { ...dcsa, id: 'eventId' },
  hmm: { ...dcsa, lists: [['shipmentEvent'], ['transportEvent'], ['equipmentEvent']] },
  ups: {
    ...parcel,
    lists: [['trackResponse', 'shipment', '*', 'package', '*', 'activity']],
    withoutOffset: ({ gmtDate: _date, gmtTime: _time, gmtOffset: _offset, ...scan }) => scan,
    stampedUtc: (scan) => ({ ...scan, gmtDate: scan.date, gmtTime: scan.time, gmtOffset: '+00:00' }),
    strange: { status: { type: 'ZZ', code: 'ZZ', statusCode: '999', description: 'Struck by a comet' } },
  },
  fedex: {
    ...parcel,
    lists: [['output', 'completeTrackResults', '*', 'trackResults', '*', 'scanEvents']],
    ...isoTimes('date'),
    strange: { eventType: 'ZQ', eventDescription: 'Struck by a comet', derivedStatusCode: 'ZQ' },
  },
  dhl: {
    ...parcel,
    lists: [['shipments', '*', 'events']],
    ...isoTimes('timestamp'),
    strange: { statusCode: 'lost-in-space', status: 'COMET', description: 'Struck by a comet' },
    astray: (body, link) => ({ ...body, nextUrl: link }),
  },
  usps: {
    ...parcel,
    lists: [['trackingEvents']],
    withoutOffset: ({ GMTTimestamp: _time, GMTOffset: _offset, ...scan }) => scan,
    stampedUtc: (scan) => ({ ...scan, GMTTimestamp: `${scan.eventTimestamp}Z`, GMTOffset: '+00:00' }),
    strange: { eventCode: 'ZZ', eventType: 'Struck by a comet' },
  },
  gls: {
    ...parcel,
    lists: [['parcels', '*', 'events']],
    ...isoTimes('eventDateTime'),
    strange: { code: 'COMET.NORMAL', description: 'Struck by a comet' },
  },
  // COSCO's times never have an offset.
  cosco: {
    lists: [
      ['data', 'content', 'containerStatus', '*', 'containers'],
      ['data', 'content', 'containers', '*', 'containerCircleStatus'],
    ],
    newestFirst: true,
    id: 'uuid',
    isActual: () => true,
    withoutOffset: (move) => move,
    stampedUtc: (move) => move,
    strange: { label: 'Struck by a Comet', containerNumberStatus: 'Struck by a Comet' },
  },
  'one-record': {
    lists: [['api:hasItem']],
    newestFirst: false,
    id: '@id',
    isActual: (event) => JSON.stringify(event['cargo:eventTimeType'] ?? '').includes('ACTUAL'),
    ...isoTimes('cargo:eventDate'),
    strange: { 'cargo:eventCode': { '@id': 'https://onerecord.iata.org/ns/code-lists/StatusCode#ZZZ' } },
    looped: (body) => ({ ...body, 'api:hasTotalItems': 1_000_000 }),
    astray: (body, link) => ({ ...body, 'api:hasNextPage': { '@id': link } }),
  },
  'lufthansa-cargo': {
    lists: [
      ['shipmentTrackingStatus', 'milestonePlan', 'milestones', 'milestone'],
      ['shipmentTrackingStatus', 'events', 'event'],
    ],
    newestFirst: false,
    id: null,
    isActual: (event) => event.actualTime !== undefined,
    ...isoTimes('plannedTime', 'actualTime'),
    strange: { type: 'ZZZ' },
  },
  'nmfta-dsdc': {
    lists: [['data']],
    newestFirst: false,
    id: 'eventId',
    isActual: () => true,
    ...isoTimes('occurredAt'),
    strange: { type: 'STRUCK_BY_COMET' },
    looped: (body) => ({ ...body, page: 1, totalPages: 1000, totalCount: 100_000 }),
    astray: (body, link) => ({ ...body, links: { next: link } }),
  },
};

/** The shape of a connector's responses. */
export function eventShapeOf(connector: string): EventShape {
  return shapes[connector] ?? dcsa;
}
