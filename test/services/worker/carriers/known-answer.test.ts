import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readerIdentity } from '#services/worker/calls/reader-identity.ts';
import type { CarrierContext, Connector } from '#services/worker/carriers/carrier.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { cannedCarrier, fetchFor, parcelSubject } from './canned-carrier.ts';
import { subject, transportEvent } from './dcsa/fake-carrier.ts';

const state = {
  state: 'active',
  reason: null,
  consecutiveFailures: 0,
  lastSucceededAt: null,
  lastChangedAt: null,
} as const;
const unread = { ...state, readingHash: null, answerHash: null };
const upsBody = {
  trackResponse: {
    shipment: [
      {
        package: [
          {
            trackingNumber: '1Z5338FF0107231059',
            activity: [
              {
                date: '20260401',
                time: '101500',
                status: { type: 'P', code: 'OR', description: 'Origin Scan' },
                location: {},
              },
            ],
          },
        ],
      },
    ],
  },
};
const dhlBody = {
  shipments: [
    {
      id: '00340434161094042557',
      events: [{ timestamp: '2026-04-01T10:00:00', statusCode: 'transit', status: 'In transit' }],
    },
  ],
};

const carriers: { name: string; connector: Connector; body: unknown; about: RefreshSubject }[] = [
  {
    name: 'a DCSA line',
    connector: connectors.dcsa,
    body: [transportEvent('DEPA')],
    about: { ...subject({ mbl: 'MAEU123456789' }), polling: unread },
  },
  {
    name: 'UPS',
    connector: connectors.ups,
    body: upsBody,
    about: parcelSubject('1Z5338FF0107231059', { polling: unread }),
  },
  {
    name: 'DHL',
    connector: connectors.dhl,
    body: dhlBody,
    about: parcelSubject('00340434161094042557', { polling: unread }),
  },
];

function open(body: unknown, identity = 'this release') {
  const answering = { body };
  const carrier = cannedCarrier(() => ({ body: answering.body }), { simulated: true });
  const ctx: CarrierContext = { ...carrier.ctx, readerIdentity: identity };
  return { ctx, answering };
}

async function hashOf(connector: Connector, ctx: CarrierContext, about: RefreshSubject): Promise<string> {
  const refresh = await fetchFor(connector, ctx, about);
  if (refresh.outcome !== 'found' || refresh.answerHash === undefined) throw new Error(JSON.stringify(refresh));
  return refresh.answerHash;
}

for (const { name, connector, body, about } of carriers) {
  it(`skips an identical response of ${name} and parses any other`, async () => {
    const { ctx, answering } = open(body);
    const answerHash = await hashOf(connector, ctx, about);
    const known = { ...about, polling: { ...state, readingHash: 'ab', answerHash } };
    expect(await fetchFor(connector, ctx, known)).toMatchObject({ outcome: 'unchanged', httpStatus: 200 });
    answering.body = `${JSON.stringify(body)} `;
    expect(await fetchFor(connector, ctx, known)).toMatchObject({ outcome: 'found' });
  });

  it(`parses an identical response of ${name} again in another release, and after the reading was cleared`, async () => {
    const { ctx } = open(body);
    const answerHash = await hashOf(connector, ctx, about);
    const known = { ...about, polling: { ...state, readingHash: 'ab', answerHash } };
    expect(await fetchFor(connector, open(body, 'the next release').ctx, known)).toMatchObject({ outcome: 'found' });
    const forgotten = { ...about, polling: { ...state, readingHash: null, answerHash } };
    expect(await fetchFor(connector, ctx, forgotten)).toMatchObject({ outcome: 'found' });
    const { readerIdentity: _, ...unnamed } = ctx;
    expect(await fetchFor(connector, unnamed, known)).toMatchObject({ outcome: 'found' });
  });
}

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

it('changes the reader identity with any change of the parsing code', async () => {
  const root = `${await mkdtemp(join(tmpdir(), 'landfall-reader-'))}/`;
  folders.push(root);
  for (const path of ['services/worker/carriers', 'shared/domain', 'shared/places', 'package-lock.json']) {
    await cp(path, `${root}${path}`, { recursive: true });
  }
  const identity = await readerIdentity(root);
  expect(identity).toMatch(/^[0-9a-f]{64}$/);
  expect(await readerIdentity(root)).toBe(identity);
  for (const file of [
    'services/worker/carriers/ups/ups-codes.ts',
    'shared/places/carrier-time.ts',
    'shared/domain/new-rule.ts',
  ]) {
    const before = await readerIdentity(root);
    await writeFile(`${root}${file}`, '// another release');
    expect(await readerIdentity(root)).not.toBe(before);
  }
  expect(await readerIdentity(`${root}nowhere/`)).toBeNull();
});
