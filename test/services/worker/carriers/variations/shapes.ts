import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';

/** Paths of the fields of a carrier's answer, as in `edit`; those of an event start at the event. */
export type Shape = {
  /** Lists of events. */
  events: readonly string[];
  /** Fields of an event with codes, and with words for people. */
  codes: readonly string[];
  words: readonly string[];
  /** Times of an event with date and clock. */
  times: readonly string[];
  /** The address of an event's place, and its fields. */
  place: Place | null;
  /** The answer's own statement on the whole shipment, beside the list. */
  summary: readonly string[];
  /** The list of the shipments that had the number. Null: the answer is about one. */
  uses: string | null;
};

export type Place = {
  at: string;
  city: string;
  state: string | null;
  country: string | null;
  postalCode: string | null;
};

const calls = ['eventLocation', 'transportCall', 'transportCall.location'];

const dcsa: Shape = {
  events: ['', 'events', 'shipmentEvent', 'transportEvent', 'equipmentEvent'],
  codes: ['transportEventTypeCode', 'equipmentEventTypeCode', 'shipmentEventTypeCode'],
  words: [...calls.map((at) => `${at}.locationName`), 'transportCall.vessel.vesselName', 'description'],
  times: ['eventDateTime'],
  place: { at: 'eventLocation', city: 'locationName', state: null, country: null, postalCode: null },
  summary: [],
  uses: null,
};

export const shapes: Readonly<Record<ConnectorCode, Shape>> = {
  'cma-cgm': dcsa,
  dcsa,
  evergreen: dcsa,
  'hapag-lloyd': dcsa,
  hmm: dcsa,
  maersk: dcsa,
  msc: dcsa,
  one: dcsa,
  'yang-ming': dcsa,
  zim: dcsa,
  cosco: {
    events: [
      'data.content.actualShipment',
      'data.content.containerStatus',
      'data.content.containerStatus[].containers',
      'data.content.containers[].containerCircleStatus',
    ],
    codes: [],
    words: ['containerNumberStatus', 'label', 'location', 'containers[].label', 'containers[].location'],
    times: ['timeOfIssue', 'locationDateTime'],
    place: null,
    summary: ['data.content.containers[].container'],
    uses: null,
  },
  'lufthansa-cargo': {
    events: [
      'shipmentTrackingStatus.milestonePlan.milestones.milestone',
      'shipmentTrackingStatus.milestonePlan.milestones.milestone[].events.event',
    ],
    codes: ['type'],
    words: [],
    times: ['actualTime', 'plannedTime', 'estimatedTime'],
    place: null,
    summary: ['shipmentTrackingStatus.status', 'shipmentTrackingStatus.shipment.status'],
    uses: null,
  },
  'one-record': {
    events: ['LogisticsEvent', 'hasItem', 'api:hasItem'],
    codes: ['eventCode'],
    words: ['eventName'],
    times: ['eventDate.@value'],
    place: null,
    summary: [],
    uses: null,
  },
  'nmfta-dsdc': {
    events: ['data', 'events', ''],
    codes: ['type'],
    words: ['statusDescription', 'description', 'notes', 'location.name', 'location.city'],
    times: ['occurredAt'],
    place: { at: 'location', city: 'city', state: 'state', country: 'country', postalCode: 'postalCode' },
    summary: [],
    uses: null,
  },
  dhl: {
    events: ['shipments[].events'],
    codes: ['statusCode'],
    words: ['status', 'statusDetailed', 'description', 'remark'],
    times: ['timestamp'],
    place: {
      at: 'location.address',
      city: 'addressLocality',
      state: 'addressRegion',
      country: 'countryCode',
      postalCode: 'postalCode',
    },
    summary: ['shipments[].status'],
    uses: 'shipments',
  },
  fedex: {
    events: ['output.completeTrackResults[].trackResults[].scanEvents'],
    codes: ['eventType', 'derivedStatusCode', 'exceptionCode'],
    words: ['eventDescription', 'exceptionDescription', 'derivedStatus'],
    times: ['date'],
    place: {
      at: 'scanLocation',
      city: 'city',
      state: 'stateOrProvinceCode',
      country: 'countryCode',
      postalCode: 'postalCode',
    },
    summary: ['latestStatusDetail', 'dateAndTimes', 'deliveryDetails'].map(
      (name) => `output.completeTrackResults[].trackResults[].${name}`,
    ),
    uses: 'output.completeTrackResults[].trackResults',
  },
  gls: {
    events: ['parcels[].events'],
    codes: ['code'],
    words: ['description'],
    times: ['eventDateTime'],
    place: { at: '', city: 'city', state: null, country: 'country', postalCode: 'postalCode' },
    summary: ['parcels[].status', 'parcels[].statusDateTime'],
    uses: 'parcels',
  },
  ups: {
    events: ['trackResponse.shipment[].package[].activity'],
    codes: ['status.type', 'status.code', 'status.statusCode'],
    words: ['status.description', 'status.simplifiedTextDescription'],
    times: [],
    place: {
      at: 'location.address',
      city: 'city',
      state: 'stateProvince',
      country: 'countryCode',
      postalCode: 'postalCode',
    },
    summary: ['currentStatus', 'deliveryDate', 'deliveryTime'].map(
      (name) => `trackResponse.shipment[].package[].${name}`,
    ),
    uses: 'trackResponse.shipment',
  },
  usps: {
    events: ['trackingEvents', '[].trackingEvents'],
    codes: ['eventCode'],
    words: ['eventType'],
    times: ['eventTimestamp'],
    place: { at: '', city: 'eventCity', state: 'eventState', country: 'eventCountry', postalCode: 'eventZIP' },
    summary: ['statusCategory', 'status', 'statusSummary'],
    uses: null,
  },
};
