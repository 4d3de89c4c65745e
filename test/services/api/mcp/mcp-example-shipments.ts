import { decodeTypeId } from '#shared/domain/type-id.ts';
import { jsonOf, type TestApi } from '#test/support/api/api.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';

type Sketch = Parameters<typeof found>[number];
type Location = NonNullable<Sketch['location']>;

const shanghai = place('Shanghai', 'CNSHA');
const ningbo = place('Ningbo', 'CNNBO');
const rotterdam = place('Rotterdam', 'NLRTM');
const hamburg = place('Hamburg', 'DEHAM');

/** The shipments of the worked examples on the MCP page, with their carriers' readings. */
export async function registerExampleShipments(api: TestApi): Promise<void> {
  const late = { container: 'MSKU7654321', mode: 'ocean' } as const;
  await register(
    api,
    {
      source: 'dcsa:maersk',
      carrier: 'MAEU',
      identifiers: { mbl: 'MAEU512384770', container: late.container },
      reference: 'PO-4711',
    },
    [
      { ...late, code: 'gate_in_full', local: '2026-03-04T10:20', location: shanghai },
      { ...late, code: 'loaded', local: '2026-03-06T22:10', location: shanghai },
      {
        ...late,
        code: 'departed',
        local: '2026-03-07T04:30',
        location: shanghai,
        vehicle: vessel('Landfall Star', '011W'),
      },
      { ...late, ...expected(rotterdam, '2026-04-12T06:00'), sourceCreatedAt: '2026-03-07T05:00:00.000Z' },
      { ...late, ...expected(rotterdam, '2026-04-15T06:00'), sourceCreatedAt: '2026-03-29T16:40:00.000Z' },
    ],
  );
  const held = { container: 'HLXU1234561', mode: 'ocean' } as const;
  await register(
    api,
    {
      source: 'dcsa:hapag-lloyd',
      carrier: 'HLCU',
      identifiers: { mbl: 'HLCUNB1260301', container: held.container },
      reference: 'PO-4720',
    },
    [
      { ...held, code: 'loaded', local: '2026-02-20T12:00', location: ningbo },
      {
        ...held,
        code: 'departed',
        local: '2026-02-21T03:00',
        location: ningbo,
        vehicle: vessel('Landfall Moon', '007W'),
      },
      { ...held, ...expected(hamburg, '2026-03-28T08:00') },
      {
        ...held,
        code: 'arrived',
        local: '2026-03-30T20:00',
        location: hamburg,
        vehicle: vessel('Landfall Moon', '007W'),
      },
      { ...held, code: 'discharged', local: '2026-03-31T05:40', location: hamburg },
      { ...held, code: 'customs_hold', local: '2026-03-31T11:00', location: hamburg },
    ],
  );
  const punctual = { container: 'MSKU1234565', mode: 'ocean' } as const;
  await register(
    api,
    {
      source: 'dcsa:maersk',
      carrier: 'MAEU',
      identifiers: { mbl: 'MAEU512384991', container: punctual.container },
      reference: 'PO-4733',
    },
    [
      {
        ...punctual,
        code: 'departed',
        local: '2026-03-20T04:30',
        location: shanghai,
        vehicle: vessel('Landfall Sun', '012W'),
      },
      { ...punctual, ...expected(rotterdam, '2026-04-25T06:00') },
    ],
  );
}

async function register(
  api: TestApi,
  { source, ...body }: Record<string, unknown> & { source: string },
  events: Sketch[],
): Promise<void> {
  const answer = await api.post('/v1/shipments', { transport_mode: 'ocean', ...body });
  if (answer.status !== 201) throw new Error(await answer.text());
  const shipmentId = decodeTypeId('shp', (await jsonOf(answer)).shipment_id);
  if (shipmentId === null) throw new Error('the answer has no id');
  const result = found(...events);
  if (result.outcome !== 'found') throw new Error('the carrier shows nothing');
  await refresh(
    api.ctx.core,
    { accountId: api.accountId, shipmentId },
    { ...result, reading: { ...result.reading, source } },
  );
}

function place(name: string, unlocode: string): Location {
  return {
    name,
    unlocode,
    iata: null,
    country: unlocode.slice(0, 2),
    lat: null,
    lng: null,
    timezone: 'UTC',
    facility: null,
  };
}

function expected(location: Location, local: string): Sketch {
  return { code: 'arrived', classifier: 'estimated', local, location };
}

function vessel(name: string, voyage: string): NonNullable<Sketch['vehicle']> {
  return { name, imo: null, voyage, flight: null };
}
