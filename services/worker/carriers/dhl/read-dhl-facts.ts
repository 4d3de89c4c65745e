import type { Dimensions, ReadEvent, StatedFacts, StatedPiece, StatedProof } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, type LenientObject, plainText, text } from '../lenient-object.ts';
import { readDimensionsCm } from '../reading/dimensions-cm.ts';
import { pieceNumber, readCount, statedFacts, statedPiece, valuesOf } from '../reading/stated-facts.ts';
import { readWeightKg } from '../reading/weight-kg.ts';
import { pickupPointOf } from './dhl-place.ts';

/** The ids of a list of pieces, upper case and without spaces, each once. */
export function pieceIdsOf(holder: LenientObject | null): string[] {
  const listed = holder?.get('pieceids');
  if (!Array.isArray(listed)) return [];
  const ids = listed.map((id) => (typeof id === 'string' ? pieceNumber(plainText(id)) : null));
  return [...new Set(ids.filter((id) => id !== null))];
}

/** Reads DHL's facts on a shipment beyond its events. `number`: the requested one. */
export function readDhlFacts(
  shipment: LenientObject,
  { number, events }: { number: string; events: readonly ReadEvent[] },
): { facts: StatedFacts | undefined; unreadable: UnreadableEvent[] } {
  const details = child(shipment, 'details');
  const weight = child(details, 'weight');
  const { values, unreadable } = valuesOf({
    count: readCount(details?.get('totalnumberofpieces'), 'totalNumberOfPieces'),
    weightKg: readWeightKg(weight?.get('value'), text(weight, 'unitText')),
    dimensionsCm: dimensionsOf(child(details, 'dimensions')),
  });
  const ids = pieceIdsOf(details);
  const proof = child(details, 'proofOfDelivery');
  const facts = statedFacts({
    service: {
      code: text(child(details, 'product'), 'productCode') ?? text(shipment, 'service'),
      name: text(child(details, 'product'), 'productName'),
    },
    weightKg: values.weightKg,
    piecesCount: values.count,
    pieces: piecesOf(ids, number, { count: values.count ?? ids.length, dimensionsCm: values.dimensionsCm }),
    pickupPoint: pickupPointOf(shipment, events),
    receivedBy: personOf(child(proof, 'signed')),
    proof: proofOf(proof),
    returned: shipment.get('returnflag') === true ? { reason: null, trackingNumber: null, to: null } : null,
  });
  return { facts, unreadable };
}

/** DHL measures the shipment, so that dimensions are those of a piece only where there is one. */
function piecesOf(
  ids: readonly string[],
  number: string,
  { count, dimensionsCm }: { count: number; dimensionsCm: Dimensions | null },
): StatedPiece[] {
  const [only] = ids;
  if (ids.length > 1 || count > 1) return ids.map((id) => statedPiece(id));
  const isOther = only !== undefined && only !== number;
  return isOther || dimensionsCm !== null ? [statedPiece(only ?? number, { dimensionsCm })] : [];
}

function dimensionsOf(dimensions: LenientObject | null) {
  const side = (name: string) => {
    const written = child(dimensions, name);
    const [value, unit] = [text(written, 'value'), text(written, 'unitText')];
    return value === null ? null : `${value} ${unit ?? ''}`.trim();
  };
  return readDimensionsCm({ length: side('length'), width: side('width'), height: side('height') }, null);
}

function personOf(person: LenientObject | null): string | null {
  const names = [text(person, 'givenName'), text(person, 'familyName')].filter((name) => name !== null);
  return names.join(' ') || text(person, 'name', 'organizationName');
}

const maxHandleLength = 2000;

/** The handle is the address that DHL states for the document or the signature. Its example has the text `string`. */
function proofOf(proof: LenientObject | null): StatedProof[] {
  const kinds = [
    ['signature', 'signatureUrl'],
    ['document', 'documentUrl'],
  ] as const;
  return kinds.flatMap(([kind, name]): StatedProof[] => {
    const written = proof?.get(name.toLowerCase());
    if (typeof written !== 'string' || written.length > maxHandleLength) return [];
    const isAddress = /^https?:$/.test(URL.parse(written)?.protocol ?? '');
    return isAddress ? [{ kind, handle: written, piece: null }] : [];
  });
}
