export type LockFile = { packages: Record<string, { version?: string; name?: string; link?: boolean }> };
export type LockedVersion = { name: string; version: string };

type RangeEvent = { introduced?: string; fixed?: string; last_affected?: string };
/** An advisory in the format of OSV 1.7, as far as it is read. */
export type OsvRecord = {
  id: string;
  withdrawn?: string;
  affected?: {
    package?: { ecosystem: string; name: string };
    versions?: string[];
    ranges?: { type: string; events: RangeEvent[] }[];
  }[];
};

/** Every package of a lock file with its version, once. */
export function lockedVersions({ packages }: LockFile): LockedVersion[] {
  const found = new Map<string, LockedVersion>();
  for (const [path, { version, name: alias, link }] of Object.entries(packages)) {
    if (path === '' || version === undefined || link === true) continue;
    const name = alias ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    found.set(`${name}@${version}`, { name, version });
  }
  return [...found.values()];
}

/** One line for each package and advisory that affects its version. */
export function findAdvisories(locked: readonly LockedVersion[], records: Iterable<OsvRecord>): string[] {
  const byName = Map.groupBy(locked, ({ name }) => name);
  const lines: string[] = [];
  for (const { id, withdrawn, affected = [] } of records) {
    if (withdrawn !== undefined) continue;
    for (const { package: of, versions = [], ranges = [] } of affected) {
      if (of?.ecosystem !== 'npm') continue;
      for (const { name, version } of byName.get(of.name) ?? []) {
        const isIn = versions.includes(version) || ranges.some((range) => isAffected(version, range));
        if (isIn) lines.push(`${name}@${version}: ${id}`);
      }
    }
  }
  return [...new Set(lines)];
}

function isAffected(version: string, { type, events }: { type: string; events: RangeEvent[] }): boolean {
  if (type !== 'SEMVER') return false;
  let isIn = false;
  const sorted = events.toSorted((left, right) => compareVersions(boundOf(left), boundOf(right)));
  for (const { introduced, fixed, last_affected: last } of sorted) {
    if (introduced !== undefined && compareVersions(version, introduced) >= 0) isIn = true;
    if (fixed !== undefined && compareVersions(version, fixed) >= 0) isIn = false;
    if (last !== undefined && compareVersions(version, last) > 0) isIn = false;
  }
  return isIn;
}

function boundOf({ introduced, fixed, last_affected: last }: RangeEvent): string {
  return introduced ?? fixed ?? last ?? '0';
}

/** By SemVer 2.0.0, 11. A missing part is 0, as in `introduced: "0"`. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [partsOf(left), partsOf(right)];
  for (let place = 0; place < 3; place++) {
    const difference = (a.numbers[place] ?? 0) - (b.numbers[place] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.labels.length === 0 || b.labels.length === 0) return b.labels.length - a.labels.length;
  for (let place = 0; place < Math.max(a.labels.length, b.labels.length); place++) {
    const difference = compareLabels(a.labels[place], b.labels[place]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function partsOf(version: string): { numbers: number[]; labels: string[] } {
  const [plain = ''] = version.split('+');
  const dash = plain.indexOf('-');
  const core = dash < 0 ? plain : plain.slice(0, dash);
  return { numbers: core.split('.').map(Number), labels: dash < 0 ? [] : plain.slice(dash + 1).split('.') };
}

function compareLabels(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1;
  const [a, b] = [Number(left), Number(right)];
  if (Number.isInteger(a) && Number.isInteger(b)) return a - b;
  if (Number.isInteger(a) !== Number.isInteger(b)) return Number.isInteger(a) ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}
