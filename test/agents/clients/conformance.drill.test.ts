import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type KeyAddingProxy, openKeyAddingProxy } from '#test/support/api/key-adding-proxy.ts';
import { plantViews } from '#test/support/api/plant-views.ts';
import { type ConformanceRun, expectedGaps, successes } from './conformance-baseline.ts';
import { type Check, runConformance } from './run-conformance.ts';

const views = plantViews();
let api: TestApi;
let proxy: KeyAddingProxy;
beforeAll(async () => {
  api = await startTestApi({}, { webAppFolder: views.folder });
  proxy = await openKeyAddingProxy(`${api.url}/v1/mcp`, api.key);
});
afterAll(async () => {
  await proxy.close();
  await api.close();
  views.remove();
});

describe('a scenario that a server with two tools can pass', () => {
  it.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
    'passes in 0.1.16: %s',
    async (scenario) => {
      await expectPass('stable', scenario, ['--scenario', scenario]);
    },
  );

  // The suite takes no single scenario together with --requirements; this is the same wire.
  it.each(['http-header-validation', 'tools-list', 'dns-rebinding-protection'])(
    'passes in revision 2026-07-28: %s',
    async (scenario) => {
      await expectPass('newest', scenario, ['--scenario', scenario, '--spec-version', '2026-07-28']);
    },
  );

  it('passes in revision 2026-07-28, except for the parts that the suite cannot test: server-stateless', async () => {
    const { checks } = await runConformance('newest', proxy.url, [
      '--scenario',
      'server-stateless',
      '--spec-version',
      '2026-07-28',
    ]);
    const failed = checks.filter(isGap);
    expect(failed.map((check) => [check.id, check.details?.untestable])).toEqual(
      failed.map((check) => [check.id, true]),
    );
    expect(failed).toHaveLength(4);
    expect(checks.filter((check) => check.status === 'SUCCESS').length).toBeGreaterThanOrEqual(20);
  });
});

it.each<[ConformanceRun, Parameters<typeof runConformance>[0], string[]]>([
  ['stable', 'stable', ['--suite', 'all']],
  ['stateless', 'newest', ['--requirements', '2026-07-28']],
  ['everything', 'newest', ['--suite', 'all']],
])('the whole suite finds exactly the recorded gaps: %s', async (name, suite, options) => {
  const { checks } = await runConformance(suite, proxy.url, options);
  const written = expectedGaps.filter((gap) => gap.runs.includes(name)).flatMap((gap) => gap.checks);
  const gaps = checks.filter(isGap);
  const found = new Set(gaps.map((check) => check.id));
  expect({
    unexpectedFailures: gaps
      .filter((check) => !written.includes(check.id))
      .map((check) => `${check.id}: ${check.errorMessage}`),
    unexpectedPasses: written.filter((id) => !found.has(id)),
    successes: checks.filter((check) => check.status === 'SUCCESS').length,
  }).toEqual({ unexpectedFailures: [], unexpectedPasses: [], successes: successes[name] });
});

it('each recorded gap is unique and has its reason', () => {
  const checks = expectedGaps.flatMap((gap) => gap.checks);
  expect(new Set(checks).size).toBe(checks.length);
  for (const { reason } of expectedGaps) expect(reason).toMatch(/^.{20,}\.$/);
});

async function expectPass(suite: 'stable' | 'newest', scenario: string, options: string[]): Promise<void> {
  const { checks, exitCode, stdout } = await runConformance(suite, proxy.url, options);
  expect(checks.filter(isGap)).toEqual([]);
  expect(checks.some((check) => check.status === 'SUCCESS')).toBe(true);
  expect(exitCode, stdout).toBe(0);
  if (scenario !== 'dns-rebinding-protection') return;
  // Refused for the address and not for the key, which the proxy adds.
  const refused = checks.find((check) => check.id === `${scenario}/localhost-host-rebinding-rejected`);
  expect(refused?.details?.statusCode).toBe(403);
}

function isGap(check: Check): boolean {
  return check.status === 'FAILURE' || check.status === 'WARNING';
}
