import { expect, it } from 'vitest';
import { testBackends } from '#infra/tools/drills/drill.ts';
import { drills } from '#infra/tools/drills/drill-catalogue.ts';
import { storedRuns, tableOf } from '#infra/tools/drills/results.ts';
import { fileText } from '#test/support/repository.ts';

it('shows the stored results in docs/operate/reliability.md', () => {
  expect(fileText('docs/operate/reliability.md')).toContain(tableOf(storedRuns()));
});

it('stores results of known drills only, in the long form', () => {
  for (const { drill, shape, backend, length } of storedRuns()) {
    const known = drills.find(({ name }) => name === drill);
    expect(known?.shapes).toContain(shape);
    expect(known?.backends).toContain(backend);
    expect(length).toBe('long');
  }
});

it('runs the short form of each drill in a shape and on a backend that it has', () => {
  for (const { inTests, shapes, backends } of drills) {
    if (inTests === null) continue;
    expect(shapes).toContain(inTests);
    expect(backends).toContain(testBackends[inTests]);
  }
});
