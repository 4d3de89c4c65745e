import { edit, type Fields, find, isFields, replaceAll } from '../edit-json.ts';
import type { Vary } from '../read-varied.ts';
import type { Relation } from '../relation.ts';

/** Answers in which one more piece has only been announced. */
const withOneMore: Readonly<Record<string, Vary>> = {
  dhl: (body) =>
    edit(body, 'shipments[]', (shipment) => {
      const [events] = find(shipment, 'events');
      const isWhole = Array.isArray(events) && !JSON.stringify(shipment).includes('pieceIds');
      if (!isFields(shipment) || !isWhole) return shipment;
      const { status: _, ...others } = shipment;
      return {
        ...others,
        details: {
          ...(isFields(shipment.details) ? shipment.details : {}),
          totalNumberOfPieces: 2,
          pieceIds: ['JD01', 'JD02'],
        },
        events: events.map((event) => (isFields(event) ? { ...event, pieceIds: ['JD01'] } : event)),
      };
    }),
  gls: (body) =>
    edit(body, 'parcels', (parcels) =>
      Array.isArray(parcels) && parcels.length === 1 && isFields(parcels[0])
        ? [
            ...parcels,
            {
              ...parcels[0],
              unitno: '93000000001',
              status: 'PREADVICE',
              events: onlyFirst(parcels[0].events, 'eventDateTime'),
            },
          ]
        : parcels,
    ),
  ups: (body) =>
    edit(body, 'trackResponse.shipment[].package', (packages) =>
      Array.isArray(packages) && packages.length === 1
        ? [
            ...packages,
            {
              trackingNumber: '1Z0000000000000001',
              currentStatus: { type: 'M', code: '003', description: 'Shipment Ready for UPS' },
              activity: [
                {
                  date: '20260301',
                  time: '080000',
                  status: { type: 'M', statusCode: '003', description: 'Shipment Ready for UPS' },
                },
              ],
            },
          ]
        : packages,
    ),
  'lufthansa-cargo': (body) =>
    /"DLV"/.test(JSON.stringify(body))
      ? replaceAll(body, (value) => (isFields(value) && value.type === 'DLV' ? partOf(value) : value))
      : body,
};

export const pieceRelations: readonly Relation[] = [
  {
    name: 'one piece of many',
    holds: 'the shipment is not delivered while a piece is not',
    variants: ({ connector }) => {
      const { [connector]: vary } = withOneMore;
      return vary === undefined ? [] : [vary];
    },
    violations: (_, { journey: { status } }) => (status === 'delivered' || status === 'returned' ? [status] : []),
  },
];

function onlyFirst(events: unknown, time: string): unknown[] {
  if (!Array.isArray(events)) return [];
  const [first] = events
    .filter(isFields)
    .toSorted((left, right) => String(left[time]).localeCompare(String(right[time])));
  return first === undefined ? [] : [{ ...first, code: 'PREADVICE.NORMAL', description: 'The parcel data was sent.' }];
}

/** A delivery of one of a hundred pieces. */
function partOf(milestone: Fields): Fields {
  const part = [{ noOfPieces: '1', weight: 1, isComplete: 'false' }];
  return { ...milestone, plannedTotals: { noOfPieces: '100', weight: 100 }, actualTotals: part };
}
