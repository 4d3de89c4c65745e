type Fields = Readonly<Record<string, unknown>>;

const documents: Readonly<Record<string, string>> = {
  ARRIVAL_NOTICE: 'ARN',
  BOOKING: 'BKG',
  CARGO_SURVEY: 'CAS',
  CARRIER_BOOKING_REQUEST: 'CBR',
  CONTAINER_RELEASE_ORDER: 'CRO',
  CONTRACT_QUOTATION: 'CQU',
  CUSTOMS_CLEARANCE: 'CUC',
  DANGEROUS_GOODS_DECLARATION: 'DGD',
  DELIVERY_INSTRUCTIONS: 'DEI',
  DELIVERY_ORDER: 'DEO',
  INVOICE: 'INV',
  OUT_OF_GAUGE_DECLARATION: 'OOG',
  SHIPPING_INSTRUCTIONS: 'SHI',
  TRANSPORT_DOCUMENT: 'TRD',
  TRANSPORT_ORDER: 'TRO',
  VERIFIED_GROSS_MASS: 'VGM',
};

const shipmentTypes: Readonly<Record<string, string>> = {
  APPROVED: 'APPR',
  CANCELLATION_CONFIRMED: 'CANC',
  CANCELLED: 'CANC',
  COMPLETED: 'CMPL',
  CONFIRMED: 'CONF',
  DECLINED: 'REJE',
  DRAFTED: 'DRFT',
  ISSUED: 'ISSU',
  ON_HOLD: 'HOLD',
  PENDING_APPROVAL: 'PENA',
  PENDING_UPDATE: 'PENU',
  RECEIVED: 'RECE',
  REJECTED: 'REJE',
  RELEASED: 'RELS',
  REQUESTED: 'REQS',
  SUBMITTED: 'SUBM',
  SURRENDERED: 'SURR',
  VOIDED: 'VOID',
};

const facilities: Readonly<Record<string, string>> = {
  BORDER: 'BOCR',
  CONTAINER_FREIGHT_STATION: 'COFS',
  CUSTOMER_LOCATION: 'CLOC',
  DEPOT: 'DEPO',
  INLAND_TERMINAL: 'INTE',
  OFF_DOCK_STORAGE: 'OFFD',
  PORT_TERMINAL: 'POTE',
};

const locations: Readonly<Record<string, string>> = {
  ORIGIN_OF_GOODS: 'ORI',
  PLACE_OF_DELIVERY: 'PDE',
  PLACE_OF_RECEIPT: 'PRE',
  PORT_OF_DISCHARGE: 'POD',
  PORT_OF_LOADING: 'POL',
};

/**
 * An event in the shape of Track & Trace 2.2, whichever version it has: 3.0 (snapshot 3.0.0-20260525-beta) nests
 * details and writes whole words, and 3.0.0-Beta-1 (2023) has `metadata` and `payload`. Any other value stays as it is.
 */
export function toStandardEvent(raw: unknown): unknown {
  if (!isFields(raw)) return raw;
  if (isFields(raw.eventClassification)) return fromVersion3(raw, raw.eventClassification);
  return isFields(raw.metadata) ? fromBeta(raw.metadata, fieldsOf(raw.payload)) : raw;
}

/**
 * The events that are still valid, for versions with event ids that are unique: of each id the one updated last, and
 * none that the carrier has retracted. `isStable` is true when all events have such ids.
 */
export function currentEvents(items: readonly unknown[]): { items: unknown[]; isStable: boolean } {
  const retracted = new Set<string>();
  const updates = new Map<string, string>();
  for (const item of items) {
    if (!isVersioned(item)) continue;
    const { eventID, isRetracted, retractedEventID, eventCreatedDateTime } = fieldsOf(toStandardEvent(item));
    if (isText(retractedEventID)) retracted.add(retractedEventID);
    if (!isText(eventID)) continue;
    if (isRetracted === true) retracted.add(eventID);
    const updated = isText(eventCreatedDateTime) ? eventCreatedDateTime : '';
    if (isLatestOnly(item) && updated >= (updates.get(eventID) ?? '')) updates.set(eventID, updated);
  }
  if (updates.size === 0 && retracted.size === 0) return { items: [...items], isStable: false };
  const valid = items.filter((item) => {
    if (!isVersioned(item)) return true;
    const { eventID, retractedEventID, eventCreatedDateTime } = fieldsOf(toStandardEvent(item));
    if (isText(retractedEventID)) return false;
    if (!isText(eventID)) return true;
    const isLast = (isText(eventCreatedDateTime) ? eventCreatedDateTime : '') === updates.get(eventID);
    return (isLast || !isLatestOnly(item)) && !retracted.has(eventID);
  });
  return { items: valid, isStable: items.every((item) => isFields(item) && isFields(item.eventClassification)) };
}

/** Beta-1 repeats ids in its published examples, so that there only retractions count. */
function isLatestOnly(item: unknown): boolean {
  return isFields(item) && !isFields(item.metadata);
}

function isVersioned(item: unknown): boolean {
  if (!isFields(item)) return false;
  return isFields(item.eventClassification) || item.isRetracted === true || isFields(item.metadata);
}

function fromVersion3(event: Fields, kind: Fields): Fields {
  const shipment = fieldsOf(event.shipmentDetails);
  const document = fieldsOf(shipment.documentReference);
  const equipment = fieldsOf(event.equipmentDetails);
  const transport = fieldsOf(event.transportDetails);
  const call = fieldsOf(transport.transportCall);
  const related = listOf(shipment.additionalDocumentReferences).filter(isFields);
  return {
    ...event,
    eventType: kind.eventType ?? kind.eventTypeCode,
    eventClassifierCode: kind.eventClassifier ?? kind.eventClassifierCode,
    transportEventTypeCode: kind.transportEventType ?? kind.transportEventTypeCode,
    equipmentEventTypeCode: kind.equipmentEventType ?? kind.equipmentEventTypeCode,
    shipmentEventTypeCode: inCode(shipmentTypes, kind.shipmentEventType ?? kind.shipmentEventTypeCode),
    otherEventTypeCode: kind.iotEventType ?? kind.iotEventTypeCode ?? kind.reeferEventType ?? kind.reeferEventTypeCode,
    eventCreatedDateTime: event.eventUpdatedDateTime,
    documentTypeCode: inCode(documents, document.type ?? document.typeCode),
    documentID: document.reference,
    documentReferences: related.map((each) => ({
      documentReferenceType: inCode(documents, each.type ?? each.typeCode),
      documentReferenceValue: each.reference,
    })),
    shipmentLocationType: inCode(locations, shipment.shipmentLocationType),
    equipmentReference: equipment.equipmentReference,
    ISOEquipmentCode: equipment.ISOEquipmentCode,
    emptyIndicatorCode: equipment.emptyIndicator ?? equipment.emptyIndicatorCode,
    transportPhase: equipment.transportPhase ?? equipment.movementType,
    seals: sealsOf(equipment.seals),
    delayReasonCode: listOf(transport.delayReasonCodes)[0],
    eventLocation: locationOf(event.eventLocation),
    ...(isFields(transport.transportCall)
      ? {
          transportCall: {
            ...call,
            exportVoyageNumber: fieldsOf(call.exportVoyageNumberOrReference).carrierVoyageNumber,
            importVoyageNumber: fieldsOf(call.importVoyageNumberOrReference).carrierVoyageNumber,
            vessel: call.vesselTransport,
          },
        }
      : {}),
  };
}

function locationOf(own: unknown): unknown {
  if (!isFields(own)) return own;
  const point = fieldsOf(own.geoCoordinate);
  const facility = fieldsOf(own.facility);
  const address = fieldsOf(own.address);
  return {
    ...own,
    facilityCode: facility.facilityCode ?? own.facilityCode,
    facilityTypeCode: inCode(facilities, own.facilityType ?? own.facilityTypeCode),
    latitude: point.latitude ?? own.latitude,
    longitude: point.longitude ?? own.longitude,
    address: { ...address, country: address.countryCode ?? address.country },
  };
}

function fromBeta(metadata: Fields, payload: Fields): Fields {
  const call = fieldsOf(payload.transportCall);
  const vessel = fieldsOf(call.vessel);
  const referencesIn = (list: unknown, name: string) =>
    listOf(list)
      .filter(isFields)
      .map(({ type, value }) => ({ [`${name}Type`]: type, [`${name}Value`]: value }));
  return {
    ...payload,
    ...metadata,
    documentID: payload.documentReference ?? payload.documentID,
    documentReferences: referencesIn(payload.relatedDocumentReferences, 'documentReference'),
    references: referencesIn(payload.references, 'reference'),
    seals: sealsOf(payload.seals),
    ...(payload.isTransshipmentMove === true ? { transportPhase: 'TRANSSHIPMENT' } : {}),
    ...(isFields(payload.transportCall)
      ? {
          transportCall: {
            ...call,
            exportVoyageNumber: call.carrierExportVoyageNumber,
            importVoyageNumber: call.carrierImportVoyageNumber,
            vessel: { ...vessel, vesselName: vessel.name ?? vessel.vesselName },
          },
        }
      : {}),
  };
}

function sealsOf(seals: unknown): unknown {
  return listOf(seals).map((seal) => (isFields(seal) ? { ...seal, sealNumber: seal.number ?? seal.sealNumber } : seal));
}

function inCode(codes: Readonly<Record<string, string>>, word: unknown): unknown {
  return isText(word) && Object.hasOwn(codes, word.toUpperCase()) ? codes[word.toUpperCase()] : word;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
