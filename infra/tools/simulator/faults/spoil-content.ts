import type { ListPath, ShapedEvent } from './event-shapes.ts';
import type { ContentFault } from './faults.ts';
import { editAt } from './spoil-events.ts';

type BodyFault = Exclude<ContentFault, 'huge_proof' | 'proof_not_image'>;
type Edit = (object: ShapedEvent) => ShapedEvent;

/** Location of the shipments in a parcel carrier's response, and the change that each fault makes to one. */
type ContentShape = Omit<Record<BodyFault, Edit>, 'many_pieces'> & {
  shipments: ListPath;
  /** The list whose entries are pieces, where pieces are entries of a list. */
  manyOf: { list: ListPath; number: string } | null;
  many_pieces: Edit;
};

const pieceCount = 400;
const wordedWeight = '12,5 KGM';

const shapes: Readonly<Record<string, ContentShape>> = {
  ups: {
    shipments: ['trackResponse', 'shipment', '*', 'package'],
    reversed_window: (parcel) => inside(parcel, ['deliveryTime'], (time) => swapped(time, 'startTime', 'endTime')),
    negative_weight: (parcel) => inside(parcel, ['weight'], (weight) => ({ ...weight, weight: '-1' })),
    worded_weight: (parcel) => inside(parcel, ['weight'], (weight) => ({ ...weight, weight: wordedWeight })),
    manyOf: { list: ['trackResponse', 'shipment', '*', 'package'], number: 'trackingNumber' },
    many_pieces: (parcel) => ({ ...parcel, packageCount: pieceCount }),
  },
  fedex: {
    shipments: ['output', 'completeTrackResults', '*', 'trackResults'],
    reversed_window: (result) =>
      inside(result, ['estimatedDeliveryTimeWindow', 'window'], (window) => swapped(window, 'begins', 'ends')),
    negative_weight: (result) => fedexWeight(result, { unit: 'KG', value: '-1' }),
    worded_weight: (result) => fedexWeight(result, { value: wordedWeight }),
    manyOf: null,
    many_pieces: (result) => inside(result, ['packageDetails'], (each) => ({ ...each, count: String(pieceCount) })),
  },
  dhl: {
    shipments: ['shipments'],
    reversed_window: (shipment) =>
      inside(shipment, ['estimatedDeliveryTimeFrame'], (frame) => swapped(frame, 'estimatedFrom', 'estimatedThrough')),
    negative_weight: (shipment) => inside(shipment, ['details', 'weight'], (weight) => ({ ...weight, value: -1 })),
    worded_weight: (shipment) =>
      inside(shipment, ['details'], (details) => ({ ...details, weight: { value: wordedWeight } })),
    manyOf: null,
    many_pieces: (shipment) =>
      inside(shipment, ['details'], (details) => ({
        ...details,
        totalNumberOfPieces: pieceCount,
        pieceIds: Array.from({ length: pieceCount }, (_, index) => `JD0146${String(index).padStart(14, '0')}`),
      })),
  },
};

/** Applies a fault of content to the JSON body of a parcel carrier. Others' bodies stay as they are. */
export function spoilContent(body: unknown, connector: string, fault: BodyFault): unknown {
  const shape = shapes[connector];
  if (shape === undefined) return body;
  const spoilt = editAt(body, shape.shipments, (shipments) => shipments.map(shape[fault]));
  const { manyOf } = shape;
  return fault === 'many_pieces' && manyOf !== null
    ? editAt(spoilt, manyOf.list, (pieces) => repeated(pieces, manyOf.number))
    : spoilt;
}

/** A page that is no image, in place of the document in a response: its longest Base64 text, or all of it. */
export function withOtherDocument(body: string): string {
  const page = '<!DOCTYPE html><html><body>Please sign in to see this document.</body></html>';
  const document = documentIn(body);
  return document === null ? page : body.replace(document, Buffer.from(page).toString('base64'));
}

/** The response before and after a place within its document. */
export function splitInDocument(body: string): { before: string; after: string } {
  const document = documentIn(body);
  const at = document === null ? body.length : body.indexOf(document) + document.length - (document.length % 4) - 8;
  return { before: body.slice(0, at), after: body.slice(at) };
}

/** Base64 of at least 100 characters. */
function documentIn(body: string): string | null {
  const found = body.match(/(?<=")[A-Za-z0-9+/]{100,}={0,2}(?=")/g) ?? [];
  return found.reduce<string | null>((longest, each) => (each.length > (longest?.length ?? 0) ? each : longest), null);
}

/** The first piece again and again, under other numbers, until there are as many as a shipment never has. */
function repeated(pieces: ShapedEvent[], number: string): ShapedEvent[] {
  const [first] = pieces;
  if (first === undefined) return pieces;
  const others = Array.from({ length: pieceCount - pieces.length }, (_, index) => ({
    ...first,
    [number]: `${String(first[number])}${String(index).padStart(3, '0')}`,
  }));
  return [...pieces, ...others];
}

function fedexWeight(result: ShapedEvent, weight: ShapedEvent): ShapedEvent {
  const one = inside(result, ['packageDetails', 'weightAndDimensions'], (each) => ({ ...each, weight: [weight] }));
  return inside(one, ['shipmentDetails'], (each) => ({ ...each, weight: [weight] }));
}

/** Edits the object at a path, if there is one. */
function inside(object: ShapedEvent, [step, ...rest]: readonly string[], edit: Edit): ShapedEvent {
  if (step === undefined) return edit(object);
  const inner = object[step];
  if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return object;
  return { ...object, [step]: inside(inner as ShapedEvent, rest, edit) };
}

function swapped(object: ShapedEvent, from: string, to: string): ShapedEvent {
  return from in object && to in object ? { ...object, [from]: object[to], [to]: object[from] } : object;
}
