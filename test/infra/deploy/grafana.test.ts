import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Metric, metricCatalogue, prometheusName, prometheusSeries } from '#shared/telemetry/metric-catalogue.ts';
import { readPromql } from '#test/support/api/promql.ts';
import { fileText, yamlFile } from '#test/support/repository.ts';

type Area = { x: number; y: number; w: number; h: number };
type Panel = {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: Area;
  datasource?: { type: string; uid: string };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
  links?: { title: string; url: string }[];
  fieldConfig?: { defaults: { unit: string } };
};
type Dashboard = {
  uid: string;
  title: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string; query: { query: string } }[] };
};

const folder = 'infra/deploy/grafana/dashboards';
const dashboards = readdirSync(folder).map((file): [string, Dashboard] => [
  file,
  JSON.parse(fileText(`${folder}/${file}`)),
]);
const metrics: readonly Metric[] = metricCatalogue;
const attributesOf = new Map(
  metrics.flatMap((metric) =>
    prometheusSeries(metric).map((series) => [series, metric.attributes.map(prometheusName)] as const),
  ),
);
const datasources = yamlFile<{
  datasources: { uid: string; jsonData: { exemplarTraceIdDestinations?: { datasourceUid: string }[] } }[];
}>('infra/deploy/grafana/datasources.yaml').datasources;
const uids = datasources.map(({ uid }) => uid);

it.each(dashboards)('%s queries only metrics and attributes that the product has', (_file, { panels, templating }) => {
  const asked = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
  expect(asked.length).toBeGreaterThan(5);
  for (const { title, expr } of asked) {
    const named = readPromql(expr);
    expect(
      named.metrics.filter((metric) => !attributesOf.has(metric)),
      title,
    ).toEqual([]);
    const known = new Set([
      'le',
      'job',
      'instance',
      ...named.metrics.flatMap((metric) => attributesOf.get(metric) ?? []),
    ]);
    expect(
      named.labels.filter((label) => !known.has(label)),
      title,
    ).toEqual([]);
  }
  for (const { query } of templating.list) {
    const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(query.query) ?? [];
    expect(attributesOf.get(metric), query.query).toContain(label);
  }
});

it.each(dashboards)('%s has complete panels with ids, sources and units that do not overlap', (file, dashboard) => {
  const { uid, panels, schemaVersion } = dashboard;
  expect(file).toBe(`${uid}.json`);
  expect(schemaVersion).toBeGreaterThanOrEqual(39);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const panel of panels) {
    const { x, w } = panel.gridPos;
    expect(x + w, panel.title).toBeLessThanOrEqual(24);
    const over = panels
      .filter((other) => other !== panel && overlap(other.gridPos, panel.gridPos))
      .map(({ title }) => title);
    expect(over, panel.title).toEqual([]);
    if (panel.type === 'row') continue;
    expect(panel.description?.length, panel.title).toBeGreaterThan(10);
    expect(panel.fieldConfig?.defaults.unit, panel.title).toBeTruthy();
    expect(uids).toContain(panel.datasource?.uid);
    expect(new Set(panel.targets?.map(({ refId }) => refId)).size, panel.title).toBe(panel.targets?.length);
    for (const { datasource } of panel.targets ?? []) expect(uids).toContain(datasource.uid);
    for (const { url } of panel.links ?? []) {
      const panes = JSON.parse(url.slice(url.indexOf('&panes=') + '&panes='.length)) as Record<
        string,
        { datasource: string }
      >;
      for (const { datasource } of Object.values(panes)) expect(uids).toContain(datasource);
    }
  }
});

it('shows every metric of the catalogue on a dashboard', () => {
  const shown = new Set(
    dashboards.flatMap(([, { panels }]) =>
      panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => readPromql(expr).metrics)),
    ),
  );
  const missing = metrics
    .filter((metric) => !prometheusSeries(metric).some((series) => shown.has(series)))
    .map(({ name }) => name);
  expect(missing).toEqual([]);
});

it('links exemplars to their traces', () => {
  const destinations = datasources.flatMap(({ jsonData }) => jsonData.exemplarTraceIdDestinations ?? []);
  expect(destinations.map(({ datasourceUid }) => datasourceUid)).toEqual(['tempo']);
  expect(uids).toContain('tempo');
});

function overlap(one: Area, other: Area): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}
