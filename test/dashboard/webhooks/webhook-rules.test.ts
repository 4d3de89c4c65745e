import { expect, it } from 'vitest';
import { deliveryStanding, deliveryWords } from '#services/dashboard/screens/webhooks/deliveries/delivery-words.ts';
import { bodyOf, newDraft } from '#services/dashboard/screens/webhooks/editor/endpoint-draft.ts';
import {
  filterOrNull,
  otherConditions,
  searchOf,
  withFlag,
  withoutCondition,
  withSearch,
} from '#services/dashboard/screens/webhooks/editor/endpoint-filter.ts';
import { previewBody } from '#services/dashboard/screens/webhooks/editor/payload-preview.tsx';
import { backlogWords, everyHour, successOf } from '#services/dashboard/screens/webhooks/endpoint-health.ts';
import { replayBodyOf } from '#services/dashboard/screens/webhooks/replay/replay-draft.ts';
import { standingOf, typesWords, typeWords } from '#services/dashboard/screens/webhooks/webhook-words.ts';
import { changeTypes } from '#shared/domain/feed/change-types.ts';

it('edits the lists of a filter and leaves every other condition as it is', () => {
  const filter = { destination: ['NLRTM'], late: true, metadata: { buyer: ['acme'] }, stale: false };
  expect(searchOf(filter)).toMatchObject({ destination: ['NLRTM'], status: [], tag: [] });
  expect(withSearch(filter, { ...searchOf(filter), destination: [], mode: ['ocean'] })).toEqual({
    late: true,
    metadata: { buyer: ['acme'] },
    stale: false,
    transport_mode: ['ocean'],
  });
  expect(otherConditions(filter).map(({ text }) => text)).toEqual(['metadata: {"buyer":["acme"]}', 'stale: false']);
  expect(withFlag(withFlag(filter, 'has_exception', true), 'late', false)).toEqual({
    destination: ['NLRTM'],
    metadata: { buyer: ['acme'] },
    stale: false,
    has_exception: true,
  });
  expect(filterOrNull(withoutCondition({ late: true }, 'late'))).toBeNull();
});

it('sends stored headers only when they were replaced or removed', () => {
  const draft = {
    ...newDraft(),
    url: ' https://erp.example.com/hooks ',
    headers: [
      { key: 0, name: 'x-kept', value: '', isStored: true },
      { key: 1, name: 'x-replaced', value: 'new', isStored: true },
      { key: 2, name: ' X-New ', value: 'value', isStored: false },
      { key: 3, name: '', value: '', isStored: false },
    ],
    removed: ['x-gone'],
  };
  expect(bodyOf(draft)).toEqual({
    url: 'https://erp.example.com/hooks',
    description: null,
    types: ['*'],
    filter: null,
    payload: 'summary',
    ordering: 'none',
    rate_per_second: null,
    timeout_seconds: 10,
    headers: { 'x-gone': null, 'x-replaced': 'new', 'X-New': 'value' },
  });
  expect(bodyOf({ ...newDraft(), rate: '50' })).toMatchObject({ rate_per_second: 50 });
  expect(bodyOf(newDraft())).not.toHaveProperty('headers');
});

it('leaves an open end of a replay out, and sends local times with their zone', () => {
  const draft = { from: '', to: '', failedOnly: true } as const;
  expect(replayBodyOf({ ...draft, by: 'time' })).toEqual({ failed_only: true });
  expect(replayBodyOf({ ...draft, by: 'position', from: '12', to: '40' })).toEqual({
    from: 12,
    to: 40,
    failed_only: true,
  });
  expect(replayBodyOf({ ...draft, by: 'time', from: '2026-03-20T12:00:00' })).toMatchObject({
    from: new Date('2026-03-20T12:00:00').toISOString(),
  });
});

it('names every type of change, and shows unknown ones', () => {
  for (const type of changeTypes) expect(typeWords(type)).toMatch(/^[A-Z][A-Za-z ]+$/);
  expect(typeWords('shipment.status_changed')).toBe('Status changed');
  expect(typeWords('shipment.created')).toBe('Shipment created');
  expect(typeWords('webhook.test')).toBe('Webhook test');
  expect(typesWords(['*'])).toBe('All types');
  expect(typesWords(['shipment.delivered', 'shipment.stale'])).toBe('Shipment delivered, Stale');
  expect(typesWords(changeTypes.slice(0, 4))).toBe('4 types');
});

it('distinguishes a disabled endpoint by its reason, and a failing one from a healthy one', () => {
  expect(standingOf({ state: 'enabled', disabled_reason: null })).toEqual({ sign: 'good', word: 'Enabled' });
  expect(standingOf({ state: 'failing', disabled_reason: null })).toEqual({ sign: 'bad', word: 'Failing' });
  expect(standingOf({ state: 'disabled', disabled_reason: 'requested' }).sign).toBe('none');
  expect(standingOf({ state: 'disabled', disabled_reason: 'gone' }).sign).toBe('bad');
});

it('never shows a single failure as 100 %, nor a cut-off count as exact', () => {
  expect(successOf(null).words).toBe('–');
  expect(successOf(1)).toEqual({ words: '100 %', colour: 'text-t2' });
  expect(successOf(0.99999).words).toBe('99.9%');
  expect(successOf(0.5).colour).toBe('text-red');
  expect(backlogWords({ backlog: { changes: 0, waiting: 0 }, state: 'enabled' })).toBe('none');
  expect(backlogWords({ backlog: { changes: 1000, waiting: 2 }, state: 'enabled' })).toBe('1,002+ to send');
});

it('distinguishes a failed delivery from one that was only queued', () => {
  const failed = { outcome: 'waiting', status: 500, error: null };
  expect([deliveryStanding(failed), deliveryWords(failed)]).toEqual(['warn', 'HTTP 500']);
  const queued = { outcome: 'waiting', status: null, error: null };
  expect([deliveryStanding(queued), deliveryWords(queued)]).toEqual(['none', 'Queued']);
  expect(deliveryWords({ ...queued, status: 200 })).toBe('Queued');
  expect(deliveryWords({ ...failed, outcome: 'exhausted' })).toBe('HTTP 500, exhausted');
  expect(deliveryWords({ outcome: 'exhausted', status: null, error: 'timeout' })).toBe(
    'No response in time, exhausted',
  );
  expect(deliveryWords({ outcome: 'waiting', status: null, error: 'of_a_later_release' })).toBe('Of a later release');
});

it('previews ids, the change, or the change with the whole record', () => {
  const change = {
    id: 'chg_1',
    position: 7,
    type: 'shipment.updated',
    created_at: '2026-03-20T12:00:00.000Z',
    data: { shipment: { shipment_id: 'shp_1' }, changes: {} },
    traceparent: null,
  } as unknown as Parameters<typeof previewBody>[0];
  const record = { shipment_id: 'shp_1', legs: [] } as unknown as Parameters<typeof previewBody>[2];
  const head = { type: 'shipment.updated', timestamp: '2026-03-20T12:00:00.000Z' };
  expect(previewBody(change, 'summary', null)).toEqual({ ...head, data: change });
  expect(previewBody(change, 'thin', null)).toEqual({
    ...head,
    data: { id: 'chg_1', position: 7, type: 'shipment.updated', shipment_id: 'shp_1' },
  });
  expect(previewBody(change, 'full', record)).toEqual({
    ...head,
    data: { ...change, data: { ...change.data, shipment: record } },
  });
});

it('fills the hours that have no deliveries', () => {
  const now = Date.parse('2026-03-20T12:34:00Z');
  const counted = [
    { hour: '2026-03-20T11:00:00.000Z', delivered: 5, waiting: 1, exhausted: 2 },
    { hour: '2026-03-01T11:00:00.000Z', delivered: 9, waiting: 0, exhausted: 0 },
  ];
  const hours = everyHour(counted, now);
  expect(hours).toHaveLength(24);
  expect(hours[0]).toEqual({ at: '2026-03-19T13:00:00.000Z', delivered: 0, failed: 0 });
  expect(hours.slice(-2)).toEqual([
    { at: '2026-03-20T11:00:00.000Z', delivered: 5, failed: 3 },
    { at: '2026-03-20T12:00:00.000Z', delivered: 0, failed: 0 },
  ]);
});
