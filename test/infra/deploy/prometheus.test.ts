import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { type Metric, metricCatalogue, prometheusName, prometheusSeries } from '#shared/telemetry/metric-catalogue.ts';
import { readPromql } from '#test/support/api/promql.ts';
import { anchorsOf, fileText, yamlFile } from '#test/support/repository.ts';

type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
};

const { groups } = yamlFile<{ groups: { rules: Rule[] }[] }>('infra/deploy/prometheus/alert-rules.yaml');
const rules = groups.flatMap((group) => group.rules);
/** `promtool`, or the program that PROMTOOL names. Null where it is not installed. */
const promtool =
  [process.env.PROMTOOL ?? 'promtool'].find((command) => spawnSync(command, ['--version']).status === 0) ?? null;
if (promtool === null && process.env.REQUIRE_PROMTOOL === '1')
  throw new Error('REQUIRE_PROMTOOL=1, but promtool is not on the PATH');

it('uses only valid PromQL over metrics and attributes that the product has', () => {
  const labels = new Map<string, readonly string[]>([['up', []]]);
  const metrics: readonly Metric[] = metricCatalogue;
  for (const metric of metrics) {
    for (const series of prometheusSeries(metric)) labels.set(series, metric.attributes.map(prometheusName));
  }
  for (const { alert, expr } of rules) {
    const named = readPromql(expr);
    expect(
      named.metrics.filter((metric) => !labels.has(metric)),
      alert,
    ).toEqual([]);
    expect(named.metrics.length, alert).toBeGreaterThan(0);
    const known = new Set(['le', 'job', 'instance', ...named.metrics.flatMap((metric) => labels.get(metric) ?? [])]);
    expect(
      named.labels.filter((label) => !known.has(label)),
      alert,
    ).toEqual([]);
  }
  expect(() => readPromql('max(landfall_due_count')).toThrow('no PromQL');
});

it('links every alert to a section of the runbook, and has an alert for every such section', () => {
  const runbook = fileText('docs/operate/operations.md');
  const alerts = runbook.slice(
    runbook.indexOf('\n## Alert rules'),
    runbook.indexOf('\n## ', runbook.indexOf('\n## Alert rules') + 1),
  );
  const sections = anchorsOf(alerts).filter((anchor) => anchor !== 'alert-rules');
  const named = rules.map(({ annotations }) => annotations.runbook);
  expect(new Set(named)).toEqual(new Set(sections.map((anchor) => `docs/operate/operations.md#${anchor}`)));
  for (const { alert, labels, annotations } of rules) {
    expect(['critical', 'warning'], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toMatch(/\.$/);
    expect(alerts).toContain(`\`${alert}\``);
  }
});

it('scrapes the ports that the processes serve', () => {
  const { scrape_configs: scrapes } = yamlFile<{
    scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
  }>('infra/deploy/prometheus/prometheus.yaml');
  const targets = scrapes.map(({ job_name: job, dns_sd_configs: [found] }) => [job, found?.names[0], found?.port]);
  expect(targets).toEqual([
    ['landfall-api', 'api', 8090],
    ['landfall-worker', 'worker', 8081],
  ]);
});

it.skipIf(promtool === null)('passes promtool checks of the configuration and the rules', () => {
  expect(run('check', 'config', 'infra/deploy/prometheus/prometheus.yaml')).toContain('SUCCESS');
});

it.skipIf(promtool === null)('fires alerts when they should, and not before', () => {
  expect(run('test', 'rules', 'test/infra/deploy/alert-rules.promtest.yaml')).toContain('SUCCESS');
});

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
  return `${stdout}${stderr}`;
}
