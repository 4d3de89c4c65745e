import { expect, it } from 'vitest';
import { compareVersions, findAdvisories, lockedVersions, type OsvRecord } from '#infra/house/find-advisories.ts';

const record = (name: string, events: object[], more: Partial<OsvRecord> = {}): OsvRecord => ({
  id: `OSV-${name}`,
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
  ...more,
});

it('reads every package of a lock file once, nested and aliased ones too', () => {
  const packages = {
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.2.3' },
    'node_modules/b/node_modules/@scope/a': { version: '2.0.0' },
    'node_modules/c/node_modules/a': { version: '1.2.3' },
    'node_modules/alias': { name: 'real', version: '3.0.0' },
  };
  expect(lockedVersions({ packages }).map(({ name, version }) => `${name}@${version}`)).toEqual([
    'a@1.2.3',
    '@scope/a@2.0.0',
    'real@3.0.0',
  ]);
});

it('finds a version in a range, and none outside it or of a withdrawn advisory', () => {
  const locked = [{ name: 'a', version: '1.2.3' }];
  const found = (...events: object[]) => findAdvisories(locked, [record('a', events)]).length === 1;
  expect(found({ introduced: '0' }, { fixed: '1.2.4' })).toBe(true);
  expect(found({ introduced: '0' }, { fixed: '1.2.3' })).toBe(false);
  expect(found({ introduced: '1.2.3' }, { last_affected: '1.2.3' })).toBe(true);
  expect(found({ introduced: '0' }, { last_affected: '1.2.2' })).toBe(false);
  expect(found({ introduced: '2.0.0' })).toBe(false);
  expect(found({ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '1.2.0' }, { fixed: '1.3.0' })).toBe(true);
  expect(findAdvisories(locked, [record('b', [{ introduced: '0' }])])).toEqual([]);
  expect(findAdvisories(locked, [record('a', [{ introduced: '0' }], { withdrawn: '2026-01-01T00:00:00Z' })])).toEqual(
    [],
  );
});

it('orders versions by SemVer', () => {
  const versions = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.10',
    '1.2',
  ];
  expect(versions.toReversed().toSorted(compareVersions)).toEqual(versions);
});
