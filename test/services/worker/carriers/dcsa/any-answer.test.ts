import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectors } from '#services/worker/carriers/registry.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import { runs } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';
import { equipmentEvent, subject, transportEvent } from './fake-carrier.ts';
import { carrierOf } from './fetch-at.ts';

const lines = [
  'cma-cgm',
  'evergreen',
  'hapag-lloyd',
  'hmm',
  'maersk',
  'msc',
  'one',
  'yang-ming',
  'zim',
  'dcsa',
] as const satisfies ConnectorCode[];
const reasons = [
  'unrecognized_response',
  'carrier_auth_failed',
  'carrier_rate_limited',
  'carrier_unreachable',
  'invalid_identifier',
];

async function awaitRefresh(line: ConnectorCode, status: number, text: string): Promise<void> {
  const authUrl = 'https://carrier.example/token';
  const { context } = carrierOf(
    ({ method }) => (method === 'POST' ? { body: { access_token: 't' } } : { status, body: text }),
    {
      authUrl,
    },
  );
  const about = subject({ booking: 'B1' });
  const result = (await connectors[line].fetch(context, [about], AbortSignal.timeout(patienceMs))).get(
    about.shipmentId,
  );
  if (result?.outcome === 'error') expect(reasons).toContain(result.reason);
  else if (result?.outcome === 'found') {
    for (const { raw, reason } of result.reading.unreadable)
      expect([raw !== undefined, reason.length > 0 && reason.length < 200]).toEqual([true, true]);
    for (const { time } of result.reading.events) expect(new Date(time.at).toISOString()).toBe(time.at);
  } else expect(result?.outcome).toBe('not_found');
}

const event = fc.oneof(
  fc
    .constantFrom(equipmentEvent('LOAD'), transportEvent('ARRI'))
    .chain((whole) =>
      fc
        .record({ key: fc.constantFrom(...Object.keys(whole)), value: fc.jsonValue() })
        .map(({ key, value }) => ({ ...whole, [key]: value })),
    ),
  fc.jsonValue(),
);
const body = fc.oneof(
  fc.jsonValue(),
  fc.array(event, { maxLength: 4 }),
  fc.record({ events: fc.jsonValue() }),
  fc.record({
    equipment: fc.jsonValue(),
    transportCall: fc.jsonValue(),
    equipmentEvent: fc.array(event),
    transportEvent: fc.oneof(event, fc.array(event)),
  }),
);
const text = fc.oneof(
  body.map((value) => JSON.stringify(value)),
  fc.tuple(body, fc.nat(200)).map(([value, length]) => JSON.stringify(value).slice(0, length)),
  fc.constantFrom('', ' ', '<html></html>', 'null', '[', '\ufeff[]'),
  fc.string(),
);

describe.each(lines)('any response of %s', (line) => {
  test('gives a reading or a named error', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(200, 200, 200, 206, 204, 400, 403, 404, 429, 500), (answer, status) =>
        awaitRefresh(line, status, answer),
      ),
      { numRuns: runs(150) },
    );
  });
});
