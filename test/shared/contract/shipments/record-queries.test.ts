import { expect, it } from 'vitest';
import { parseGetShipmentQuery, parseListEventsQuery } from '#shared/contract/shipments/record-queries.ts';
import { LandfallError } from '#shared/domain/errors.ts';

it.each([
  [{}, null],
  [
    { as_of: '2026-04-15T08:00:00+02:00' },
    { earliest: '2026-04-15T06:00:00.000Z', latest: '2026-04-15T06:00:00.000Z' },
  ],
  [
    { as_of: '2026-04-15T08:00:00 02:00' },
    { earliest: '2026-04-15T06:00:00.000Z', latest: '2026-04-15T06:00:00.000Z' },
  ],
  [{ as_of: '2026-04-15' }, { earliest: '2026-04-15T00:00:00.000Z', latest: '2026-04-15T23:59:59.999Z' }],
])('parses the query of a record: %j', (query, expected) => {
  expect(parseGetShipmentQuery(query)).toEqual(expected);
});

it('defaults to the newest 50 events', () => {
  expect(parseListEventsQuery({})).toEqual({
    filter: { classifiers: [], codes: [], containers: [] },
    sort: '-time',
    limit: 50,
    cursor: null,
    includeRaw: false,
  });
});

it('parses lists from commas and from repetition', () => {
  const request = parseListEventsQuery({
    code: ['loaded, departed', 'arrived'],
    container: 'A,B',
    include: 'raw',
    limit: '100',
    sort: 'time',
  });
  expect(request).toMatchObject({
    filter: { codes: ['loaded', 'departed', 'arrived'], containers: ['A', 'B'] },
    includeRaw: true,
    limit: 100,
  });
});

it.each([
  [{ cod: 'loaded' }, 'unknown_parameter', 'Did you mean code?'],
  [{ limit: '1.5' }, 'validation_failed', 'limit'],
  [{ limit: '1e2' }, 'validation_failed', 'limit'],
  [{ limit: '' }, 'validation_failed', 'limit'],
  [{ include: 'everything' }, 'validation_failed', 'include'],
  [{ cursor: ['a', 'b'] }, 'validation_failed', 'cursor must be given at most once'],
  [{ container: 'a\u0000b' }, 'validation_failed', 'container'],
  [{ sort: 'code' }, 'validation_failed', 'sort must be one of'],
])('refuses %j: %s', (query, code, detail) => {
  let refusal: unknown;
  try {
    parseListEventsQuery(query);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(LandfallError);
  expect(refusal).toMatchObject({ code, message: expect.stringContaining(detail) });
});
