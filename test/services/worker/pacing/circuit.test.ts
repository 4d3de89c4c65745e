import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throughCircuit } from '#services/worker/calls/carrier-http.ts';
import type { CarrierFetch, CarrierResponse } from '#services/worker/carriers/carrier.ts';
import { CarrierUnreachable } from '#services/worker/carriers/fetch-failure.ts';
import { createCarrierRecorder } from '#services/worker/pacing/carrier-health.ts';
import { CircuitOpen, openCircuit } from '#services/worker/pacing/circuit.ts';
import { pacing } from '#services/worker/pacing/pacing.ts';
import { patienceMs } from '#test/support/until.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const settings = { authUrl: 'https://carrier.test/token' };

/** A carrier whose next responses the test chooses: a status or an error. */
function openCarrier() {
  const next: (number | Error)[] = [];
  const sent: string[] = [];
  const reported: string[] = [];
  const send: CarrierFetch = async (url) => {
    sent.push(url);
    const answer = next.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return { status: answer, headers: new Headers(), text: '{}' };
  };
  const circuit = openCircuit({
    firstPauseMs: 1000,
    maxPauseMs: 4000,
    onOpen: () => reported.push('open'),
    onClose: () => reported.push('closed'),
  });
  const recorder = createCarrierRecorder(() => new Date());
  const askAbout = (
    about: string[],
    { url = 'https://carrier.test/events', signal = AbortSignal.timeout(patienceMs) } = {},
  ): Promise<CarrierResponse> =>
    throughCircuit(send, { connector: 'maersk', settings, circuit, recorder, label: 'MAEU', about })(url, { signal });
  /** About a shipment that nothing was asked about before. */
  const ask = (url?: string, signal?: AbortSignal) =>
    askAbout([randomUUID()], { ...(url && { url }), ...(signal && { signal }) });
  /** Answers in turn, about these shipments in turn. */
  const askInTurn = async (answers: readonly (number | Error)[], shipments: readonly string[][]) => {
    for (const [turn, answer] of answers.entries()) {
      next.push(answer);
      await askAbout(shipments[turn % shipments.length] ?? []).catch(() => undefined);
    }
  };
  const askAll = async (...answers: (number | Error)[]) => {
    for (const answer of answers) {
      next.push(answer);
      await ask().catch(() => undefined);
    }
  };
  return { circuit, recorder, sent, reported, ask, askInTurn, askAll, next };
}

it('opens after five failures in a row, sends nothing while open, probes once after the pause and closes', async () => {
  const { circuit, sent, reported, ask, askAll } = openCarrier();
  await askAll(500, 503, new CarrierUnreachable('cut'), 408);
  expect(circuit.state()).toBe('closed');
  await askAll(429);
  expect(circuit.state()).toBe('open');
  expect(circuit.waitMs()).toBeGreaterThanOrEqual(800);
  await expect(ask()).rejects.toThrow(CarrierUnreachable);
  expect(sent).toHaveLength(5);

  vi.setSystemTime(Date.now() + 1201);
  expect(circuit.enter()).toBe(0);
  expect(circuit.enter()).toBeGreaterThan(0);
  await askAll(200);
  expect(circuit.state()).toBe('closed');
  expect(circuit.enter()).toBe(0);
  expect(reported).toEqual(['open', 'closed']);
});

it('reports since when it is open and after which failure, also across failed probes', async () => {
  const { circuit, recorder, askAll } = openCarrier();
  await askAll(500, 500, 500, 500);
  expect(circuit.openSince()).toBeNull();
  await askAll(503);
  const since = circuit.openSince();
  expect(since).toEqual(new Date());
  expect(recorder.lastFailure()).toBe('HTTP 503');
  vi.setSystemTime(Date.now() + circuit.waitMs());
  await askAll(new CarrierUnreachable('cut'));
  expect(circuit.openSince()).toEqual(since);
  expect(recorder.lastFailure()).toBe('a connection failure');
  vi.setSystemTime(Date.now() + circuit.waitMs());
  await askAll(200);
  expect(circuit.openSince()).toBeNull();
});

it('doubles the pause with each failed probe, up to the maximum', async () => {
  const { circuit, askAll } = openCarrier();
  await askAll(500, 500, 500, 500, 500);
  const pauses: number[] = [];
  for (let round = 0; round < 4; round++) {
    pauses.push(circuit.waitMs());
    vi.setSystemTime(Date.now() + circuit.waitMs());
    await askAll(500);
    expect(circuit.state()).toBe('open');
  }
  for (const [index, aboutMs] of [1000, 2000, 4000, 4000].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(aboutMs * 0.8);
    expect(pauses[index]).toBeLessThanOrEqual(aboutMs * 1.2);
  }
});

it('opens when more than half of the last twenty calls failed', async () => {
  const { circuit, askAll } = openCarrier();
  for (let round = 0; round < 9; round++) await askAll(500, 200);
  await askAll(500, 200);
  expect(circuit.state()).toBe('closed');
  await askAll(500, 500);
  expect(circuit.state()).toBe('open');
});

it('counts rejected requests as successes and ignores calls that the worker aborts', async () => {
  const { circuit, recorder, askAll, ask, next } = openCarrier();
  await askAll(...Array.from({ length: 10 }, () => [400, 401, 404]).flat());
  expect(circuit.state()).toBe('closed');
  const stopping = AbortSignal.abort(new Error('the worker is stopping'));
  for (let turn = 0; turn < 8; turn++) {
    next.push(new CarrierUnreachable('aborted'));
    await expect(ask('https://carrier.test/events', stopping)).rejects.toThrow();
  }
  expect(circuit.state()).toBe('closed');
  expect(recorder.read()).toMatchObject({ requests: 30, succeeded: 30, lastErrorAt: null });
});

it('counts a failed sign-in as a failure, but does not close after a successful one', async () => {
  const { circuit, ask, askAll, next, sent, recorder } = openCarrier();
  for (let turn = 0; turn < 5; turn++) {
    next.push(503);
    await ask(settings.authUrl);
    next.push(200);
    if (turn < 4) await ask(settings.authUrl);
  }
  expect(circuit.state()).toBe('open');
  const before = sent.length;
  await expect(ask(settings.authUrl)).rejects.toThrow(CarrierUnreachable);
  expect(sent).toHaveLength(before);
  expect(recorder.read().lastErrorReason).toBe('carrier_unreachable');
  vi.setSystemTime(Date.now() + 1201);
  next.length = 0;
  await ask(settings.authUrl);
  expect(circuit.state()).toBe('open');
  await askAll(200);
  expect(circuit.state()).toBe('closed');
});

it('lets the refresh that probes after the pause sign in first', async () => {
  const { circuit, ask, askAll, sent } = openCarrier();
  await askAll(500, 500, 500, 500, 500);
  vi.setSystemTime(Date.now() + 1201);
  expect(circuit.enter()).toBe(0);
  await ask(settings.authUrl);
  await askAll(200);
  expect(sent.slice(5)).toEqual([settings.authUrl, 'https://carrier.test/events']);
  expect(circuit.state()).toBe('closed');
});

it('keeps calls back until the probe ends, sends them if it succeeds and rejects them if it fails', async () => {
  for (const succeeds of [false, true]) {
    const circuit = openCircuit({ firstPauseMs: 1000, maxPauseMs: 4000, onOpen: () => {}, onClose: () => {} });
    const call = (outcome: Promise<boolean>) =>
      circuit.run(() => outcome, { isFailure: (ok) => !ok, isFault: () => true, about: [] });
    for (let failures = 0; failures < 5; failures++) await call(Promise.resolve(false));
    vi.setSystemTime(Date.now() + 1201);
    const probe = Promise.withResolvers<boolean>();
    const [probing, next] = [call(probe.promise), call(Promise.resolve(true))];
    expect(circuit.state()).toBe('half_open');
    probe.resolve(succeeds);
    expect(await probing).toBe(succeeds);
    if (succeeds) expect(await next).toBe(true);
    else await expect(next).rejects.toBeInstanceOf(CircuitOpen);
    expect(circuit.state()).toBe(succeeds ? 'closed' : 'open');
  }
});

it('probes again when the worker aborts a probe', async () => {
  const { circuit, sent, ask, askAll, next } = openCarrier();
  await askAll(500, 500, 500, 500, 500);
  vi.setSystemTime(Date.now() + 1201);
  next.push(new CarrierUnreachable('aborted'));
  await expect(ask(undefined, AbortSignal.abort(new Error('stopping')))).rejects.toThrow();
  expect(circuit.state()).toBe('half_open');
  await askAll(200);
  expect(circuit.state()).toBe('closed');
  expect(sent).toHaveLength(7);
});

it('stays closed however often the same few shipments fail', async () => {
  const { circuit, askInTurn } = openCarrier();
  const few = [['A'], ['B'], ['C'], ['D']];
  await askInTurn(Array<number>(40).fill(500), few);
  await askInTurn(Array<Error>(40).fill(new CarrierUnreachable('endless')), few);
  expect(circuit.state()).toBe('closed');
  // A fifth one is a failure of the carrier.
  await askInTurn([500], [['E']]);
  expect(circuit.state()).toBe('open');
});

it('counts a call for several shipments if one of them has not failed before', async () => {
  const { circuit, askInTurn } = openCarrier();
  await askInTurn(Array<number>(10).fill(500), [['A', 'B']]);
  expect(circuit.state()).toBe('closed');
  await askInTurn(
    [500, 500, 500, 500],
    [
      ['A', 'C'],
      ['A', 'D'],
      ['B', 'E'],
      ['A', 'F'],
    ],
  );
  expect(circuit.state()).toBe('open');
});

it('counts a shipment again after it was refreshed', async () => {
  const { circuit, askInTurn } = openCarrier();
  const all = ['A', 'B', 'C', 'D', 'E'].map((id) => [id]);
  await askInTurn([500, 500, 500, 500, 500], all);
  vi.setSystemTime(Date.now() + 1201);
  await askInTurn([200], [['A']]);
  expect(circuit.state()).toBe('closed');
  await askInTurn([500, 500, 500, 500, 500], all);
  expect(circuit.state()).toBe('closed');
  circuit.refreshed(all.flat());
  await askInTurn([500, 500, 500, 500, 500], all);
  expect(circuit.state()).toBe('open');
});

it('probes at least every 18 seconds, however long the carrier fails', async () => {
  const { firstPauseMs, maxPauseMs } = pacing.circuit;
  const circuit = openCircuit({ firstPauseMs, maxPauseMs, onOpen: () => {}, onClose: () => {} });
  const fail = () => circuit.run(async () => false, { isFailure: () => true, isFault: () => true, about: [] });
  for (let failures = 0; failures < 5; failures++) await fail();
  const pauses = new Set<number>();
  for (let probes = 0; probes < 200; probes++) {
    const waitMs = circuit.waitMs();
    expect(waitMs).toBeLessThanOrEqual(18_000);
    pauses.add(waitMs);
    vi.setSystemTime(Date.now() + waitMs);
    await fail();
  }
  // Workers don't probe in step.
  expect(pauses.size).toBeGreaterThan(50);
});
