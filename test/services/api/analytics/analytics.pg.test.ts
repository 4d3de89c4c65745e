import { afterAll, beforeAll, expect, it } from 'vitest';
import { wireArrivalAnalytics } from '#shared/contract/analytics/arrival-wire.ts';
import { wireTrackingAnalytics } from '#shared/contract/analytics/tracking-wire.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  // Two arrivals of a day by each of two carriers, as a worker keeps them.
  await api.ctx.core.store.system.query(
    `insert into landfall.arrival_cells (account_id, test, day, carrier, transport_mode, origin, destination,
       origin_country, destination_country, arrivals, early, on_time, late, transit_hours, delay_causes, free_time)
     select $1, false, '2026-05-01', carrier, 'ocean', 'CNSHA', 'NLRTM', 'CN', 'NL', 2, 0, 1, 1, '{700,801}',
       '{"WEA": 1}', '{"exceeded": 1, "none": 1}'
     from unnest(array['MAEU', 'HLCU']) as carrier`,
    [api.accountId],
  );
});

afterAll(() => api.close());

const days = 'from=2026-04-01&to=2026-06-30';

it('answers figures with their lists, as JSON or as CSV by format and by Accept', async () => {
  const answer = await api.request(`/v1/analytics/arrivals?${days}&group_by=carrier&trend=month&carrier=maersk,HLCU`);
  expect(answer.status).toBe(200);
  const { total, groups, groups_other } = wireArrivalAnalytics.parse(await jsonOf(answer));
  expect(total).toMatchObject({
    ...{ arrivals: 4, early: 0, on_time: 2, late: 2, unknown: 0, on_time_share: 0.5 },
    transit: { known: 4, unknown: 0, median_hours: 750.5, p90_hours: 801 },
    delay_causes: [{ cause: 'WEA', description: 'bad weather', arrivals: 2 }],
    free_time: { within: 0, exceeded: 2, open: 0, unknown: 0, none: 2 },
    list: 'archived=any&arrived_from=2026-04-01&arrived_to=2026-06-30&carrier=MAEU,HLCU',
  });
  expect(total.trend.map(({ period, arrivals }) => [period, arrivals])).toEqual([
    ['2026-04', 0],
    ['2026-05', 4],
    ['2026-06', 0],
  ]);
  expect(groups?.map(({ key, name }) => [key, name])).toEqual([
    ['HLCU', 'Hapag-Lloyd'],
    ['MAEU', 'Maersk'],
  ]);
  expect(groups_other).toBe(0);

  const byFormat = await api.request(`/v1/analytics/arrivals?${days}&group_by=lane&format=csv`);
  const text = await byFormat.text();
  expect(byFormat.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(text.split('\r\n').slice(1)).toEqual([
    'CNSHA-NLRTM,,,2026-04-01,2026-06-30,4,0,2,2,0,0.5,4,0,750.5,801,bad weather: 2,0,2,0,0,2,' +
      'archived=any&arrived_from=2026-04-01&arrived_to=2026-06-30&lane=CNSHA-NLRTM',
    '',
  ]);
  const byAccept = await api.request(`/v1/analytics/arrivals?${days}&group_by=lane`, {
    headers: { accept: 'text/csv' },
  });
  expect(await byAccept.text()).toBe(text);
  const tracking = await api.request('/v1/analytics/tracking');
  expect(wireTrackingAnalytics.parse(await jsonOf(tracking))).toMatchObject({ measured_at: null, groups: [] });
});

it('explains the mistake in a period, a lane or a format', async () => {
  const refused = async (query: string, headers: Record<string, string> = {}) => {
    const answer = await api.request(`/v1/analytics/arrivals?${query}`, { headers });
    const { code, errors = [] } = await jsonOf(answer);
    return [answer.status, code, ...errors.map(({ pointer }: { pointer: string }) => pointer)];
  };
  expect(await refused('from=2020-01-01&to=2026-01-01')).toEqual([400, 'validation_failed', '?from']);
  expect(await refused('from=2026-05-02&to=2026-05-01')).toEqual([400, 'validation_failed', '?to']);
  expect(await refused('from=2026-02-30')).toEqual([400, 'validation_failed', '?from']);
  expect(await refused('lane=CN-NL&group_by=ship')).toEqual([400, 'validation_failed', '?lane', '?group_by']);
  expect(await refused('status=arrived')).toEqual([400, 'unknown_parameter', '?status']);
  expect(await refused('', { accept: 'image/png' })).toEqual([406, 'not_acceptable']);
});
