import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { urlOf } from '#services/dashboard/api/call.ts';
import { isSameView, toSavedList } from '#services/dashboard/screens/shipments/filters/saved-views.ts';
import { listFilters } from '#services/dashboard/screens/shipments/list-filters.ts';
import { openStatuses, planOf, viewFilter, weekFrom } from '#services/dashboard/screens/shipments/list-plan.ts';
import {
  defaultSort,
  type ListSearch,
  narrowingsOf,
  plainSearch,
  readListSearch,
  sorts,
  toggled,
  views,
  without,
  withView,
  writeListSearch,
} from '#services/dashboard/screens/shipments/list-search.ts';
import { bodyOf } from '#services/dashboard/screens/shipments/selection/use-bulk.ts';
import { parseBulkActionBody } from '#shared/contract/bulk/bulk-action-body.ts';
import { parseCountShipmentsQuery, parseListShipmentsQuery } from '#shared/contract/lists/list-shipments-query.ts';
import { freeTimeOutcomes } from '#shared/domain/analytics/free-time-outcome.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { clockStates } from '#shared/domain/record/free-time.ts';
import { freshnesses, punctualities, statuses, trackingStates } from '#shared/domain/record/shipment.ts';

const today = '2026-04-15';
const words = fc
  .array(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ]{1,10}[A-Za-z0-9]$/), { maxLength: 4 })
  .map((all) => [...new Set(all)]);
/** The query as the server receives it. */
const sent = (id: 'listShipments' | 'countShipments', query: object) =>
  Object.fromEntries(new URL(urlOf(id, { query }), 'http://landfall.example').searchParams);

const search: fc.Arbitrary<ListSearch> = fc.record({
  view: fc.constantFrom(...views),
  sort: fc.constantFrom(...sorts),
  status: fc.uniqueArray(fc.constantFrom(...statuses)),
  mode: fc.uniqueArray(fc.constantFrom(...transportModes)),
  state: fc.uniqueArray(fc.constantFrom(...trackingStates)),
  clock: fc.uniqueArray(fc.constantFrom(...clockStates)),
  carrier: fc.uniqueArray(fc.constantFrom('MAEU', 'HLCU', 'ups')),
  origin: words,
  destination: words,
  tag: words,
  assignee: fc.uniqueArray(fc.constantFrom('me', 'none', 'user_01m80tzkszf54ttpemx9rrxegv')),
  q: fc.oneof(fc.constant(''), fc.stringMatching(/^[A-Za-z0-9]{3,20}$/)),
  numbers: words,
  eta: fc.constantFrom('', '2026-04-15..2026-04-21'),
  arrived: fc.constantFrom('', '2026-04-01..2026-06-30'),
  registered: fc.constantFrom('', '2026-04-01..2026-06-30'),
  on_time: fc.uniqueArray(fc.constantFrom(...punctualities)),
  transit: fc.constantFrom([], ['known'], ['unknown'], ['known', '36.5']),
  cause: fc.uniqueArray(fc.constantFrom('WEA', 'customs_hold', 'unknown')),
  outcome: fc.uniqueArray(fc.constantFrom(...freeTimeOutcomes)),
  lane: fc.constantFrom([], ['CNSHA-NLRTM', 'FRA-unknown']),
  country_lane: fc.constantFrom([], ['CN-NL']),
  events: fc.constantFrom([], ['yes'], ['no']),
  freshness: fc.uniqueArray(fc.constantFrom(...freshnesses)),
  reason: fc.constantFrom([], ['not_found']),
  peek: fc.constantFrom(null, 'shp_01m80tzkszf54ttpemx9rrxegv'),
});

describe('the URL of a list', () => {
  it('round-trips every list', () => {
    fc.assert(fc.property(search, (one) => void expect(readListSearch(writeListSearch(one))).toEqual(one)));
  });

  it('is empty for the default list', () => {
    expect(writeListSearch(plainSearch)).toEqual({});
  });

  it('drops invalid values, and never throws', () => {
    const read = readListSearch({
      view: 'nonsense',
      status: 'in_transit,lost',
      mode: ['air', 'boat'],
      sort: '-price',
      peek: 'javascript:',
      q: 7,
    });
    expect(read).toEqual({ ...plainSearch, status: ['in_transit'], mode: ['air'] });
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything()),
        (raw) => void expect(() => readListSearch(raw)).not.toThrow(),
      ),
    );
  });

  it('accepts a range of days, and drops other texts', () => {
    const read = readListSearch({ eta: weekFrom('2026-02-26') });
    expect(read.eta).toBe('2026-02-26..2026-03-04');
    expect(viewFilter(read, today)).toMatchObject({
      eta_from: '2026-02-26',
      eta_to: '2026-03-04',
    });
    for (const eta of ['2026-02-26', '2026-03-04..2026-02-26', '2026-99-01..2026-99-02', 'a..b'])
      expect(readListSearch({ eta }).eta).toBe('');
  });

  it('changes the sort order with the view unless another one was chosen', () => {
    expect(withView(plainSearch, 'late').sort).toBe(defaultSort('late'));
    expect(withView({ ...plainSearch, sort: '-updated_at' }, 'late').sort).toBe('-updated_at');
  });
});

describe('narrowings', () => {
  it('cover everything that narrows the list', () => {
    fc.assert(
      fc.property(search, (one) => {
        const left = narrowingsOf(one).reduce(without, one);
        expect(narrowingsOf(left)).toEqual([]);
        expect([left.view, left.sort]).toEqual([one.view, one.sort]);
      }),
    );
  });

  it('toggle back to the original filter', () => {
    fc.assert(
      fc.property(search, fc.constantFrom(...listFilters), (one, name) => {
        const twice = toggled(toggled(one, name, 'value'), name, 'value');
        expect([...twice[name]].sort()).toEqual([...one[name]].sort());
      }),
    );
  });
});

describe('the queries of a list', () => {
  it('are valid for every URL', () => {
    fc.assert(
      fc.property(search, (one) => {
        const { leads, chain } = planOf(one, today);
        for (const filter of [...leads, ...chain]) parseListShipmentsQuery(sent('listShipments', filter));
        const { sort: _, ...counted } = viewFilter(one, today);
        parseCountShipmentsQuery(sent('countShipments', counted));
      }),
    );
  });

  it('name a whole list for an action, as the list itself', () => {
    fc.assert(
      fc.property(search, (one) => {
        const { leads, chain } = planOf(one, today);
        expect(chain).toHaveLength(1);
        for (const filter of [...leads, ...chain]) {
          const body = bodyOf({ kind: 'archive' }, { filter });
          const { source } = parseBulkActionBody(JSON.parse(JSON.stringify(body)));
          expect(source).toEqual({ filter: parseListShipmentsQuery(sent('listShipments', filter)).filter });
        }
      }),
    );
  });

  it('always contain the filters', () => {
    fc.assert(
      fc.property(search, (one) => {
        if (one.numbers.length > 0 || one.carrier.length === 0) return;
        const { leads, chain } = planOf(one, today);
        for (const filter of [...leads, ...chain]) expect(filter.carrier).toEqual(one.carrier);
      }),
    );
  });

  it('put shipments that need attention on top of the current view only', () => {
    expect(planOf(plainSearch, today)).toEqual({
      leads: [{ needs_attention: true, sort: 'eta' }],
      chain: [{ status: [...openStatuses], sort: 'eta' }],
      grouped: true,
    });
    expect(planOf(withView(plainSearch, 'late'), today)).toMatchObject({ leads: [], grouped: false });
    expect(planOf({ ...plainSearch, status: ['delivered'] }, today)).toMatchObject({
      leads: [],
      chain: [{ status: ['delivered'] }],
    });
  });

  it('look up a pasted number before searching its text', () => {
    const plan = planOf({ ...plainSearch, view: 'all', q: 'MSKU 123456 5' }, today);
    expect(plan.leads).toEqual([{ identifier: ['MSKU 123456 5'] }]);
    expect(plan.chain).toEqual([{ q: 'MSKU 123456 5', sort: 'eta' }]);
  });
});

describe('saved views', () => {
  it('are saved as the filter of the API, or as none if they depend on the day', () => {
    expect(toSavedList({ ...withView(plainSearch, 'late'), peek: 'shp_01m80tzkszf54ttpemx9rrxegv' })).toMatchObject({
      search: { view: 'late' },
      filter: { late: true },
      sort: '-created_at',
    });
    expect(toSavedList({ ...plainSearch, numbers: ['MSKU1234565'], q: 'x' }).filter).toEqual({
      identifier: ['MSKU1234565'],
    });
    expect(toSavedList(withView(plainSearch, 'arriving')).filter).toBeNull();
  });

  it('are recognized while any preview is open', () => {
    const late = withView(plainSearch, 'late');
    const saved = { search: writeListSearch(late) };
    expect(isSameView(saved, { ...late, peek: 'shp_01m80tzkszf54ttpemx9rrxegv' })).toBe(true);
    expect(isSameView(saved, plainSearch)).toBe(false);
  });
});
