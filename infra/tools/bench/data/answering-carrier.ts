import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

/**
 * A carrier that only answers: the DCSA carrier at `/sim/dcsa`. `ANSWERS=growing` adds two events to each further
 * answer for the same bill of lading.
 */
const grows = process.env.ANSWERS === 'growing';
const first = 6;
const step = 2;
const bodies = new Map<number, Buffer>();
const requestCounts = new Map<string, number>();

const server = createServer((request, response) => {
  const bill = new URL(request.url ?? '/', 'http://carrier').searchParams.get('transportDocumentReference') ?? '';
  const times = grows ? (requestCounts.get(bill) ?? 0) : 0;
  if (grows) requestCounts.set(bill, times + 1);
  const body = bodyOf(first + times * step);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

function bodyOf(events: number): Buffer {
  const known = bodies.get(events);
  if (known !== undefined) return known;
  const body = Buffer.from(JSON.stringify(Array.from({ length: events }, (_, index) => eventAt(index))));
  bodies.set(events, body);
  return body;
}

const codes = ['GTIN', 'LOAD', 'DISC', 'LOAD', 'DISC', 'GTOT'] as const;
const places = [
  { UNLocationCode: 'CNSHA', locationName: 'Shanghai' },
  { UNLocationCode: 'SGSIN', locationName: 'Singapore' },
  { UNLocationCode: 'NLRTM', locationName: 'Rotterdam' },
];

/** The n-th event of a long voyage, one day after the previous one. */
function eventAt(index: number): object {
  const at = new Date(Date.UTC(2026, 0, 1, 8) + index * 86_400_000).toISOString();
  return {
    eventID: `0198c0de-0000-4000-8000-${String(index).padStart(12, '0')}`,
    eventCreatedDateTime: at,
    eventType: 'EQUIPMENT',
    eventClassifierCode: 'ACT',
    eventDateTime: at,
    equipmentEventTypeCode: codes[index % 6 === 0 && index > 0 ? 1 : Math.min(index % 6, 4)],
    equipmentReference: 'TESU1234565',
    ISOEquipmentCode: '45G1',
    emptyIndicatorCode: 'LADEN',
    eventLocation: places[Math.floor(index / 2) % places.length],
    transportCall: {
      modeOfTransport: 'VESSEL',
      exportVoyageNumber: `${100 + Math.floor(index / 2)}E`,
      vessel: { vesselIMONumber: '9321483', vesselName: 'Bench Trader' },
    },
  };
}
