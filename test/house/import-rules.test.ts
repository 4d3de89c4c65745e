import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importRules } from '#infra/house/import-rules.ts';

// The rules are copied into an empty tree: a file planted in the real one would reach other tests and the linter.
const root = new URL('../../', import.meta.url).pathname;
let tree: string;
/** The lines of each file that break a rule, by rule. */
let violations: Map<string, Map<string, Set<number>>>;

const imports = 'lint/style/noRestrictedImports';
const cycles = 'lint/suspicious/noImportCycles';

/** Specifiers of imports that some row allows, and of imports that no row may allow. */
const specifiers = [
  ...new Set(
    importRules.flatMap(({ allows }) => allows.filter((pattern) => !pattern.startsWith('.')).map(specifierOf)),
  ),
  '#test/support/stores/postgres.ts',
  '#services/worker/carriers/registry.ts',
  '#services/api/server.ts',
  'left-pad',
];
const places = importRules.flatMap((rule) =>
  rule.in.filter((glob) => !glob.startsWith('!')).map((glob) => ({ rule, path: pathOf(glob) })),
);

/** Forms of an import other than the plain one. All of them import what the folder may not. */
const forms = [
  { path: 'shared/domain/planted-type.ts', code: "import type { Store } from '#shared/store/open-store.ts';" },
  { path: 'shared/contract/planted-export.ts', code: "export { Pool } from 'pg';" },
  { path: 'shared/store/planted-parent.ts', code: "import { registerShipment } from '../core/register-shipment.ts';" },
  { path: 'shared/store/system/planted-above.ts', code: "import { place } from '../../places/place.ts';" },
  { path: 'shared/store/system/tracking/planted-above.ts', code: "import '../../../places/place.ts';" },
  { path: 'services/api/plugins/planted-dynamic.ts', code: "export const planted = () => import('pg');" },
  { path: 'services/dashboard/api/planted-service.ts', code: "import { registry } from '../../worker/registry.ts';" },
  {
    path: 'infra/tools/simulator/planted-above.ts',
    code: "import { registry } from '../worker/carriers/registry.ts';",
  },
];

/** Relative imports that a row allows. */
const allowedRelatives = [
  { path: 'shared/store/system/planted-beside.ts', code: "import '../open-store.ts';" },
  { path: 'shared/store/system/tracking/planted-beside.ts', code: "import '../../open-store.ts';" },
  { path: 'services/dashboard/shell/parts/planted-above.ts', code: "import '../../api/request.ts';" },
  { path: 'services/worker/carriers/dcsa/planted-above.ts', code: "import '../carrier.ts';" },
];

/** Two files that import each other's types. */
const cycle = ['one', 'other'].map((name, index, names) => ({
  path: `shared/domain/planted-cycle/${name}.ts`,
  code: `import type { ${names[1 - index]} } from './${names[1 - index]}.ts';\nexport type ${name} = ${names[1 - index]} | null;`,
}));

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'landfall-rules-'));
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  config.vcs = { enabled: false };
  delete config.$schema;
  writeFileSync(join(tree, 'biome.json'), JSON.stringify(config));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  for (const { path, code } of [...forms, ...allowedRelatives, ...cycle]) plant(path, code);
  for (const { path } of places) plant(path, specifiers.map((specifier) => `import '${specifier}';`).join('\n'));
  violations = lint();
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

it.each(places)('accepts in $path what its row allows, and rejects everything else', ({ rule, path }) => {
  const rejected = violations.get(path)?.get(imports) ?? new Set();
  const isAllowed = (specifier: string) => rule.allows.some((pattern) => matchesGlob(specifier, pattern));
  expect(specifiers.filter((_, index) => rejected.has(index + 1))).toEqual(
    specifiers.filter((specifier) => !isAllowed(specifier)),
  );
});

it('has a row for every part of the code', () => {
  const parts = ['shared', 'services', 'services/api', 'services/worker'].flatMap(foldersIn);
  const covered = (part: string) => places.some(({ path }) => path.startsWith(`${part}/`));
  expect(parts.filter((part) => !covered(part))).toEqual([]);
});

it.each(forms)('rejects a forbidden import in every form: $code', ({ path }) => {
  expect(violations.get(path)?.has(imports)).toBe(true);
});

it.each(allowedRelatives)('accepts an allowed relative import in $path', ({ path }) => {
  expect(violations.get(path)?.has(imports) ?? false).toBe(false);
});

it.each(cycle)('rejects a cycle of types through $path', ({ path }) => {
  expect(violations.get(path)?.has(cycles)).toBe(true);
});

/** A specifier that the pattern matches. */
function specifierOf(pattern: string): string {
  return pattern.replace('node:*/**', 'node:fs/promises').replace('node:*', 'node:os').replace('/**', '/planted.ts');
}

/** A file that the glob matches. */
function pathOf(glob: string): string {
  return glob.replace('/*/', '/planted/').replace('/*/', '/planted/').replace('/**', '/planted.ts');
}

function foldersIn(folder: string): string[] {
  const { stdout } = spawnSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' });
  const depth = folder.split('/').length;
  const files = stdout.split('\n').map((path) => path.split('/'));
  return [
    ...new Set(files.filter((parts) => parts.length > depth + 1).map((parts) => parts.slice(0, depth + 1).join('/'))),
  ];
}

function plant(path: string, code: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), `${code}\n`);
}

/** One run lints all files: a run per file took 40 times the CPU. */
function lint(): Map<string, Map<string, Set<number>>> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      biome,
      'lint',
      '--only=style/noRestrictedImports',
      '--only=suspicious/noImportCycles',
      '--reporter=json',
      '--max-diagnostics=none',
    ],
    { cwd: tree, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const found = new Map<string, Map<string, Set<number>>>();
  for (const { category, location } of parseReport(stdout, stderr)) {
    const path = typeof location.path === 'string' ? location.path : location.path.file;
    const byRule = found.get(path) ?? new Map<string, Set<number>>();
    found.set(path, byRule);
    byRule.set(category, (byRule.get(category) ?? new Set()).add(location.start?.line ?? 0));
  }
  return found;
}

type Diagnostic = { category: string; location: { path: string | { file: string }; start?: { line: number } } };

function parseReport(stdout: string, stderr: string): Diagnostic[] {
  try {
    return JSON.parse(stdout).diagnostics;
  } catch {
    throw new Error(`Biome returned no report:\n${stdout.slice(0, 2000)}\n${stderr.slice(0, 2000)}`);
  }
}
