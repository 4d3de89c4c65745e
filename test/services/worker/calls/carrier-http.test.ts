import { expect, it } from 'vitest';
import { outcomeOfAnswer, outcomeOfFault, throughCircuit } from '#services/worker/calls/carrier-http.ts';
import type { CarrierResponse } from '#services/worker/carriers/carrier.ts';
import { fileRequest } from '#services/worker/carriers/proof-document.ts';
import { createCarrierRecorder } from '#services/worker/pacing/carrier-health.ts';
import { openCircuit } from '#services/worker/pacing/circuit.ts';

it('maps every response and every fault to one outcome', () => {
  const outcome = (status: number, text = '{}') => outcomeOfAnswer({ status, text });
  expect(
    [200, 204, 400, 401, 403, 404, 408, 422, 429, 500, 503].map((status) =>
      outcome(status, status === 204 ? '' : '{}'),
    ),
  ).toEqual([
    'ok',
    'ok',
    'client_error',
    'unauthorized',
    'unauthorized',
    'not_found',
    'timeout',
    'client_error',
    'rate_limited',
    'server_error',
    'server_error',
  ]);
  expect([outcome(200, '<html>'), outcome(200, ' [1]'), outcome(200, 'moved')]).toEqual([
    'unreadable',
    'ok',
    'unreadable',
  ]);
  expect([outcomeOfFault(AbortSignal.abort()), outcomeOfFault(new AbortController().signal)]).toEqual([
    'timeout',
    'connection',
  ]);
});

it('counts a document that is too large neither as a failure of the carrier nor as unreadable JSON', async () => {
  const circuit = openCircuit({ firstPauseMs: 1000, maxPauseMs: 1000, onOpen: () => {}, onClose: () => {} });
  const large: CarrierResponse = { status: 200, headers: new Headers(), text: '', unreadable: 'it is too large' };
  const askFor = (shipment: string) =>
    throughCircuit(async () => large, {
      connector: 'dhl',
      settings: { authUrl: null },
      circuit,
      recorder: createCarrierRecorder(() => new Date()),
      label: 'DHL',
      about: [shipment],
    });
  const request = { signal: new AbortController().signal };
  for (let count = 0; count < 30; count++)
    await askFor(`proof ${count}`)('https://x', { ...request, document: fileRequest });
  expect(circuit.state()).toBe('closed');
  for (let count = 0; count < 30 && circuit.state() === 'closed'; count++)
    await askFor(`one ${count}`)('https://x', request);
  expect(circuit.state()).toBe('open');
  expect(outcomeOfAnswer({ status: 200, text: '', bytes: new Uint8Array(3) })).toBe('ok');
});
