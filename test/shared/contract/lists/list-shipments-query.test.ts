import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseCountShipmentsQuery, parseListShipmentsQuery } from '#shared/contract/lists/list-shipments-query.ts';
import { listToolInput, parseListToolInput } from '#shared/contract/mcp/list-input.ts';
import { LandfallError } from '#shared/domain/errors.ts';

function refusalOf(read: () => unknown): LandfallError {
  try {
    read();
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

it('lists everything, newest first, without parameters', () => {
  expect(parseListShipmentsQuery({})).toEqual({
    filter: {},
    sort: '-created_at',
    limit: 25,
    cursor: null,
    includeTotal: false,
    shape: { fields: null, include: [] },
  });
});

it('reads values with commas in double quotes, alone, among others and repeated', () => {
  const filterOf = (query: Record<string, string | string[]>) => parseListShipmentsQuery(query).filter;
  expect(filterOf({ reference: '"PO 7741, part 2"' })).toEqual({ reference: ['PO 7741, part 2'] });
  expect(filterOf({ tag: 'a,"Smith, Jones"' })).toEqual({ tag: ['a', 'Smith, Jones'] });
  expect(filterOf({ tag: ['"x, y"', 'b,c'] })).toEqual({ tag: ['x, y', 'b', 'c'] });
});

it('maps every parameter to the filter', () => {
  expect(
    parseListShipmentsQuery({
      status: 'in_transit,arrived',
      transport_mode: ['ocean', 'air'],
      carrier: 'maersk,MAEU,hlcu',
      mbl: 'MAEU123456789',
      container: 'CSQU3054383',
      hbl: 'h1',
      booking: 'b1, b2',
      awb: '020-12345675',
      hawb: 'hawb1',
      bol: 'bol1',
      pro: ['p1', 'p2,p3'],
      tracking_number: '1Z1',
      identifier: 'X1',
      reference: 'PO,1',
      tag: ['acme', 'x'],
      q: 'ever, given',
      origin: 'CNSHA',
      destination: 'Rotterdam,NL',
      tracking_state: 'failed,degraded',
      freshness: 'stale',
      exception: 'customs_hold',
      archived: 'true',
      departed_from: '2026-04-01',
      departed_to: '2026-04-02T00:00:00+01:00',
      created_from: '2026-03-01',
      created_to: '2026-03-31',
      fields: 'status,arrival',
      include: 'legs',
      eta_from: '2026-04-15',
      eta_to: '2026-04-20',
      updated_since: '2026-04-15T08:00:00 02:00',
      has_exception: 'true',
      delayed_min_hours: '12.5',
      stale: 'true',
      sort: 'eta',
      limit: '100',
      cursor: 'abc',
      include_total: 'true',
    }),
  ).toEqual({
    filter: {
      status: ['in_transit', 'arrived'],
      transportMode: ['ocean', 'air'],
      carrier: ['MAEU', 'HLCU'],
      trackingState: ['failed', 'degraded'],
      freshness: ['stale'],
      identifiers: {
        mbl: ['MAEU123456789'],
        hbl: ['h1'],
        booking: ['b1', 'b2'],
        container: ['CSQU3054383'],
        awb: ['020-12345675'],
        hawb: ['hawb1'],
        bol: ['bol1'],
        pro: ['p1', 'p2', 'p3'],
        tracking_number: ['1Z1'],
      },
      identifier: ['X1'],
      reference: ['PO', '1'],
      tag: ['acme', 'x'],
      q: 'ever, given',
      origin: ['CNSHA'],
      destination: ['Rotterdam', 'NL'],
      departedFrom: '2026-04-01',
      departedTo: '2026-04-01T23:00:00.000Z',
      createdFrom: '2026-03-01T00:00:00.000Z',
      createdTo: '2026-03-31T23:59:59.999Z',
      exception: ['customs_hold'],
      archived: true,
      etaFrom: '2026-04-15',
      etaTo: '2026-04-20',
      updatedSince: '2026-04-15T06:00:00.000Z',
      hasException: true,
      delayedMinHours: 12.5,
      stale: true,
    },
    sort: 'eta',
    limit: 100,
    cursor: 'abc',
    includeTotal: true,
    shape: { fields: ['status', 'arrival'], include: ['legs'] },
  });
});

it('suggests the nearest name for an unknown value in a list', () => {
  expect(refusalOf(() => parseListShipmentsQuery({ fields: 'shipment_id,statu' })).mistakes[0]?.detail).toContain(
    'Did you mean status?',
  );
  expect(refusalOf(() => parseListShipmentsQuery({ exception: 'custom_hold' })).mistakes[0]?.detail).toContain(
    'Did you mean customs_hold?',
  );
});

it('defaults to archived=false', () => {
  expect(parseListShipmentsQuery({ archived: 'false' }).filter).toEqual({});
});

it('the counts accept the same filters but no paging parameters', () => {
  expect(parseCountShipmentsQuery({ tag: 'acme', mbl: 'x1' })).toEqual({
    filter: { tag: ['acme'], identifiers: { mbl: ['x1'] } },
    groupBy: null,
  });
  expect(parseCountShipmentsQuery({ group_by: 'carrier' })).toEqual({ filter: {}, groupBy: 'carrier' });
  expect(refusalOf(() => parseCountShipmentsQuery({ limit: '5' }))).toMatchObject({ code: 'unknown_parameter' });
});

it('reads status=exception as has_exception', () => {
  expect(parseListShipmentsQuery({ status: 'exception' }).filter).toEqual({ hasException: true });
});

it('suggests the nearest name for a misspelled parameter', () => {
  const error = refusalOf(() => parseListShipmentsQuery({ statuss: 'delivered' }));
  expect(error).toMatchObject({
    code: 'unknown_parameter',
    message: 'Unknown parameter: statuss. Did you mean status?',
  });
  expect(error.mistakes).toMatchObject([{ pointer: '?statuss', code: 'unknown_parameter' }]);
});

it('names every mistake', () => {
  const error = refusalOf(() =>
    parseListShipmentsQuery({
      colour: 'red',
      status: 'moving',
      limit: '101',
      eta_from: '2026-02-30',
      updated_since: '2026-04-15T08:00:00',
      stale: 'yes',
      q: 'ab',
      updated_to: '2026-04-15',
      sort: 'price',
      carrier: 'mearsk',
      delayed_min_hours: '-1',
      mbl: ',',
      origin: 'x',
      eta_to: ['2026-04-15', '2026-04-16'],
      fields: 'statu',
      include: 'everything',
      exception: 'exploded',
      status_: ['x'],
      include_total: '1',
      cursor: '',
    }),
  );
  expect(error.code).toBe('validation_failed');
  expect(error.mistakes.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
    '?carrier unknown_carrier',
    '?colour unknown_parameter',
    '?cursor too_short',
    '?delayed_min_hours too_small',
    '?eta_from invalid_format',
    '?eta_to one_value',
    '?exception invalid_value',
    '?fields invalid_value',
    '?include invalid_value',
    '?include_total wrong_type',
    '?limit too_big',
    '?mbl too_short',
    '?origin too_short',
    '?q too_short',
    '?sort invalid_value',
    '?stale wrong_type',
    '?status invalid_value',
    '?status_ unknown_parameter',
    '?updated_since invalid_format',
    '?updated_to unknown_parameter',
  ]);
});

describe('contradictions', () => {
  it.each([
    ['?eta_to', { eta_from: '2026-04-16', eta_to: '2026-04-15' }],
    ['?status', { status: 'delivered,exception' }],
    ['?has_exception', { status: 'exception', has_exception: 'false' }],
    ['?has_exception', { exception: 'delayed', has_exception: 'false' }],
    ['?departed_to', { departed_from: '2026-04-16', departed_to: '2026-04-15' }],
    ['?delivered_to', { delivered_from: '2026-04-16', delivered_to: '2026-04-15' }],
    ['?created_to', { created_from: '2026-04-16T10:00:00Z', created_to: '2026-04-16T11:59:00+02:00' }],
    ['?stale', { stale: 'true', freshness: 'fresh,never' }],
    ['?stale', { stale: 'false', freshness: 'stale' }],
  ])('%s', (pointer, query) => {
    expect(refusalOf(() => parseListShipmentsQuery(query)).mistakes).toMatchObject([
      { pointer, code: 'contradiction' },
    ]);
  });

  it('accepts a single day as a range', () => {
    expect(parseListShipmentsQuery({ eta_from: '2026-04-15', eta_to: '2026-04-15' }).filter.etaTo).toBe('2026-04-15');
  });

  it('accepts a day with an instant, because only the place decides which of them is first', () => {
    const { filter } = parseListShipmentsQuery({ eta_from: '2026-04-15T20:00:00Z', eta_to: '2026-04-15' });
    expect(filter).toEqual({ etaFrom: '2026-04-15T20:00:00.000Z', etaTo: '2026-04-15' });
  });
});

it.each(['0', '-1', '1.5', 'ten', '', '1e2', '999999999999'])('refuses limit=%s', (limit) => {
  expect(refusalOf(() => parseListShipmentsQuery({ limit })).mistakes).toMatchObject([{ pointer: '?limit' }]);
});

it('parses any query or refuses it with a LandfallError', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('status', 'q', 'limit', 'eta_from', 'carrier', 'mbl', 'stale', '__proto__'),
  );
  fc.assert(
    fc.property(fc.dictionary(name, fc.oneof(fc.string(), fc.array(fc.string()))), (query) => {
      try {
        parseListShipmentsQuery(query);
      } catch (error) {
        expect(error).toBeInstanceOf(LandfallError);
      }
    }),
  );
});

describe('the tool', () => {
  it('has its own page size and name of the search text', () => {
    expect(parseListToolInput({})).toEqual({
      ...{ filter: {}, numbers: null, sort: '-created_at', limit: 20, cursor: null, groupBy: null },
    });
    expect(parseListToolInput({ identifiers: 'PO-1, PO-2', group_by: 'Carrier' })).toMatchObject({
      ...{ numbers: ['PO-1', 'PO-2'], limit: 50, filter: { archived: 'any' }, groupBy: 'carrier' },
    });
    expect(parseListToolInput({ query: 'MAEU123456789', status: ['delivered'], limit: 50 })).toMatchObject({
      limit: 50,
      filter: { q: 'MAEU123456789', status: ['delivered'] },
    });
    expect(refusalOf(() => parseListToolInput({ limit: 51 })).mistakes).toMatchObject([
      { pointer: '/limit', code: 'too_big' },
    ]);
  });

  it('accepts one value for a list, texts for numbers, and null for absent', () => {
    expect(
      parseListToolInput({ status: 'delivered', carrier: 'maersk', has_exception: 'true', limit: '5', origin: null }),
    ).toMatchObject({
      limit: 5,
      filter: { status: ['delivered'], carrier: ['MAEU'], hasException: true },
    });
  });

  it('refuses unknown arguments by name and lists the allowed ones', () => {
    const error = refusalOf(() => parseListToolInput({ buyer: 'x', status: ['moving'], customer: 'acme' }));
    expect(error.mistakes.map((mistake) => mistake.pointer).sort()).toEqual(['/buyer', '/status/0']);
    // As one mistake, so that the allowed names are listed only once.
    expect(error.mistakes.find((mistake) => mistake.pointer === '/buyer')?.detail).toMatch(
      /^Unknown arguments: buyer, customer. Allowed: query, /,
    );
    expect(refusalOf(() => parseListToolInput({ q: 'x' })).message).toContain('Did you mean query?');
    expect(error.mistakes.find((mistake) => mistake.pointer === '/status/0')?.detail).toContain('out_for_delivery');
  });

  it('parses the same filter as the REST list', () => {
    const shared = { status: 'in_transit', carrier: 'MAEU', eta_to: '2026-04-20', tag: 'acme', stale: 'true' };
    expect(parseListToolInput(shared).filter).toEqual(parseListShipmentsQuery(shared).filter);
  });

  it('has a JSON Schema with its arguments', () => {
    const schema = z.toJSONSchema(listToolInput, { io: 'input' });
    expect(schema.additionalProperties).toBe(false);
    expect(schema.required ?? []).toEqual([]);
    expect(Object.keys(schema.properties ?? {}).sort()).toEqual([
      'archived',
      'carrier',
      'created_from',
      'created_to',
      'cursor',
      'delayed_min_hours',
      'delivered_from',
      'delivered_to',
      'departed_from',
      'departed_to',
      'destination',
      'eta_from',
      'eta_to',
      'exception',
      'free_time',
      'group_by',
      'has_exception',
      'identifiers',
      'last_free_day_from',
      'last_free_day_to',
      'late',
      'limit',
      'needs_attention',
      'origin',
      'overdue_min_hours',
      'query',
      'reference',
      'sort',
      'stale',
      'status',
      'tag',
      'tracking_state',
      'transport_mode',
      'updated_since',
    ]);
  });
});
