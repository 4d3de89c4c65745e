import type { Port } from './ports.ts';

/** An event of DCSA Track & Trace 2.2, with the fields that the simulator fills. */
export type DcsaEvent = {
  eventID: string;
  eventType: 'SHIPMENT' | 'TRANSPORT' | 'EQUIPMENT';
  eventCreatedDateTime: string;
  eventClassifierCode: 'PLN' | 'EST' | 'ACT';
  eventDateTime: string;
  documentReferences: DocumentReference[];
  references: { referenceType: 'FF' | 'EQ'; referenceValue: string }[];
} & EventSubject;

/** The subject of an event: the fields that stay the same from plan to actual. */
export type EventSubject = {
  shipmentEventTypeCode?: 'RECE' | 'CONF' | 'ISSU' | 'HOLD' | 'RELS';
  documentTypeCode?: 'CBR' | 'BKG' | 'TRD' | 'ARN' | 'CUS';
  documentID?: string;
  reason?: string;
  transportEventTypeCode?: 'ARRI' | 'DEPA';
  delayReasonCode?: string;
  changeRemark?: string;
  equipmentEventTypeCode?: 'LOAD' | 'DISC' | 'GTIN' | 'GTOT' | 'STUF' | 'DROP' | 'INSP' | 'RSEA';
  equipmentReference?: string;
  ISOEquipmentCode?: string;
  emptyIndicatorCode?: 'EMPTY' | 'LADEN';
  seals?: { sealNumber: string; sealSource: 'SHI' | 'CUS'; sealType: 'BLT' }[];
  eventLocation?: DcsaLocation;
  transportCall?: TransportCall;
};

export type DocumentReference = { documentReferenceType: 'BKG' | 'TRD'; documentReferenceValue: string };

export type DcsaLocation = {
  locationName: string;
  latitude: string;
  longitude: string;
  UNLocationCode: string;
  facilityCode?: string;
  facilityCodeListProvider?: 'SMDG';
  address: { name: string; city: string; country: string };
};

export type TransportCall = {
  transportCallID: string;
  modeOfTransport: 'VESSEL' | 'TRUCK';
  transportCallSequenceNumber: number;
  UNLocationCode: string;
  facilityCode?: string;
  facilityCodeListProvider?: 'SMDG';
  facilityTypeCode: 'POTE' | 'DEPO' | 'CLOC';
  otherFacility?: string;
  carrierServiceCode?: string;
  exportVoyageNumber?: string;
  importVoyageNumber?: string;
  location: DcsaLocation;
  vessel?: {
    vesselIMONumber: string;
    vesselName: string;
    vesselFlag: string;
    vesselCallSignNumber: string;
    vesselOperatorCarrierCode: string;
    vesselOperatorCarrierCodeListProvider: 'SMDG';
  };
};

/** The port's terminal as a location. */
export function terminalLocation(port: Port): DcsaLocation {
  return { ...inlandLocation(port, port.terminal), facilityCode: port.facility, facilityCodeListProvider: 'SMDG' };
}

/** A place in the port's city other than the terminal, such as a depot or a customer's warehouse. */
export function inlandLocation(port: Port, name: string): DcsaLocation {
  return {
    locationName: port.name,
    latitude: port.latitude.toFixed(4),
    longitude: port.longitude.toFixed(4),
    UNLocationCode: port.unlocode,
    address: { name, city: port.name, country: port.country },
  };
}
