import { expect, test } from 'vitest';
import { readEventRow } from '#shared/core/events-in/read-event-row.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { readX12 } from '#shared/edi/x12/read-x12.ts';
import { onlyMessage, readAll } from './read-all.ts';

const nowMs = Date.UTC(2026, 3, 20);
const isa =
  'ISA*00*          *00*          *ZZ*ACMELINE       *ZZ*EXAMPLE        *260415*0930*U*00401*000000041*0*P*>~';

/** The journey that the statuses of a 214 make. */
function journeyOf(mode: TransportMode, ...statuses: string[][]) {
  const body = ['B10*PRO1*LOAD1*ABCD', ...statuses.flat()];
  const lines = ['ST*214*0001', ...body, `SE*${body.length + 2}*0001`].join('~');
  const message = onlyMessage(
    readAll(readX12(`${isa}GS*QM*A*B*20260415*0930*41*X*004010~${lines}~GE*1*41~IEA*1*000000041~`)),
  );
  const events = message.events.flatMap(({ row }) => {
    const result = readEventRow({ ...row, sourceName: 'a' }, nowMs);
    return 'event' in result && result.event !== null ? [result.event] : [];
  });
  const stored = mergeReading([], { events, source: 'client' }, nowMs).events;
  return composeJourney({ events: stored, transportMode: mode }, nowMs);
}

/** A status or, with the code LD, the plan of a stop. */
const at = (code: string, time: string, [city, state]: [string, string], stop: number | null = null) => [
  'LX*1',
  code === 'LD' ? `AT7***LD*NA*${time}*ET` : `AT7*${code}*NS***${time}*ET`,
  `MS1*${city}*${state}*US`,
  ...(stop === null ? [] : [`L11*${stop}*QN`]),
];
const atlanta: [string, string] = ['ATLANTA', 'GA'];
const macon: [string, string] = ['MACON', 'GA'];
const savannah: [string, string] = ['SAVANNAH', 'GA'];

test.each([null, 2])('a delivery at a stop that another one follows is not that of the truckload (stop %s)', (stop) => {
  const third = stop === null ? null : 3;
  const first = at('D1', '20260410*0900', atlanta, stop);
  const onTheWay = at('X6', '20260411*0900', macon, third);
  const last = at('D1', '20260414*1000', savannah, third);
  expect(journeyOf('road', first, onTheWay).status).toBe('in_transit');
  const { status, delivery } = journeyOf('road', first, onTheWay, last);
  expect([status, delivery.actual?.local]).toEqual(['delivered', '2026-04-14T10:00']);
  expect(journeyOf('road', last, first, onTheWay).delivery.actual?.local).toBe('2026-04-14T10:00');
});

test('a day without a clock is the delivery of a load that was elsewhere on that day', () => {
  const onTheWay = at('X6', '20260414*1600', macon);
  const day = ['LX*1', 'AT7*D1*NS***20260414', 'MS1*SAVANNAH*GA*US'];
  expect(journeyOf('road', onTheWay, day).status).toBe('delivered');
});

test('a promise belongs to its stop', () => {
  const { delivery } = journeyOf(
    'road',
    at('LD', '20260410*1200', atlanta, 2),
    at('LD', '20260414*1200', savannah, 3),
    at('D1', '20260410*0900', atlanta, 2),
    at('D1', '20260414*1000', savannah, 3),
  );
  expect([delivery.planned?.local, delivery.delayHours]).toEqual(['2026-04-14T12:00', -2]);
});

test('a stop that is planned keeps a truckload open, and nothing behind the last delivery does', () => {
  const open = [at('LD', '20260414*1200', savannah, 3), at('D1', '20260410*0900', atlanta, 2)];
  expect(journeyOf('road', ...open).status).not.toBe('delivered');
  const left = [at('D1', '20260410*0900', atlanta), at('CD', '20260410*0930', atlanta)];
  expect(journeyOf('road', ...left).status).toBe('delivered');
});
