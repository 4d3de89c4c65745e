import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

// The rules are copied into an empty tree: a file planted in the real one would reach other tests and the linter.
const root = new URL('../../', import.meta.url).pathname;
let tree: string;
let violations: Map<string, Set<string>>;

type Planted = { place: string; statement: string };

const store = "import { openStore } from '#shared/store/open-store.ts';\nexport const planted = openStore;\n";
const storeType = "import type { Store } from '#shared/store/open-store.ts';\nexport type Planted = Store;\n";
const pg = "import { Pool } from 'pg';\nexport const planted = Pool;\n";
const betterAuth = "import { betterAuth } from 'better-auth';\nexport const planted = betterAuth;\n";
const mcpServer =
  "import { Server } from '@modelcontextprotocol/sdk/server/index.js';\nexport const planted = Server;\n";
const carriers =
  "import { connectors } from '#services/worker/carriers/registry.ts';\nexport const planted = connectors;\n";
const apiServer = "import { buildServer } from '#services/api/server.ts';\nexport const planted = buildServer;\n";
const testCode = "import { testDatabase } from '#test/support/postgres.ts';\nexport const planted = testDatabase;\n";

/** `place` is a folder, or a file that a rule names. */
const forbidden: Planted[] = [
  { place: 'shared/domain', statement: "import { z } from 'zod';\nexport const planted = z;\n" },
  {
    place: 'shared/domain',
    statement: "import { randomUUID } from 'node:crypto';\nexport const planted = randomUUID;\n",
  },
  { place: 'shared/domain', statement: store },
  { place: 'shared/domain/registration', statement: storeType },
  { place: 'shared/contract', statement: store },
  { place: 'shared/contract/registration', statement: pg },
  {
    place: 'shared/async',
    statement: "import { inSpan } from '#shared/telemetry/events.ts';\nexport const planted = inSpan;\n",
  },
  { place: 'shared/places', statement: pg },
  { place: 'shared/limits', statement: "import { Redis } from 'ioredis';\nexport const planted = Redis;\n" },
  { place: 'shared/store', statement: "import { Queue } from 'bullmq';\nexport const planted = Queue;\n" },
  {
    place: 'shared/store/system',
    statement:
      "import { registerShipment } from '../../core/register-shipment.ts';\nexport const planted = registerShipment;\n",
  },
  { place: 'shared/store/registration', statement: testCode },
  { place: 'shared/queue', statement: pg },
  { place: 'shared/telemetry', statement: store },
  { place: 'shared/core', statement: pg },
  {
    place: 'shared/core/registration',
    statement: "import { createLogger } from '#shared/telemetry/logger.ts';\nexport const planted = createLogger;\n",
  },
  { place: 'shared/config', statement: store },
  { place: 'shared/lifecycle.ts', statement: store },
  { place: 'services/api/routes', statement: store },
  { place: 'services/api/routes', statement: mcpServer },
  {
    place: 'services/api/plugins',
    statement: "export const planted = async () => await import('#services/worker/carriers/registry.ts');\n",
  },
  { place: 'services/api/plugins', statement: betterAuth },
  { place: 'services/api/docs', statement: storeType },
  { place: 'services/api/operations', statement: storeType },
  { place: 'services/api/mcp', statement: storeType },
  { place: 'services/api/dashboard', statement: storeType },
  { place: 'services/api/dashboard', statement: betterAuth },
  { place: 'services/api/auth', statement: pg },
  { place: 'services/api/server.ts', statement: store },
  { place: 'services/api/context.ts', statement: carriers },
  {
    place: 'services/dashboard',
    statement:
      "import { registerShipment } from '#shared/core/registration/register-shipment.ts';\nexport const planted = registerShipment;\n",
  },
  {
    place: 'services/dashboard/api',
    statement: "import { registry } from '../../worker/carriers/registry.ts';\nexport const planted = registry;\n",
  },
  { place: 'services/dashboard/parts', statement: betterAuth },
  { place: 'services/dashboard/screens/shipments', statement: store },
  { place: 'services/worker/jobs', statement: store },
  { place: 'services/worker/refresh', statement: storeType },
  { place: 'services/worker/pacing', statement: pg },
  { place: 'services/worker/credentials', statement: store },
  { place: 'services/worker/carriers', statement: testCode },
  { place: 'services/worker/main.ts', statement: apiServer },
  {
    place: 'services/simulator',
    statement: "import type { EventCode } from '#shared/domain/tracking/event.ts';\nexport type Planted = EventCode;\n",
  },
  { place: 'infra', statement: apiServer },
  { place: 'infra', statement: testCode },
  { place: 'infra/backup', statement: "import { from } from 'pg-copy-streams';\nexport const planted = from;\n" },
  { place: 'infra/scripts', statement: pg },
  {
    place: 'infra/doctor',
    statement:
      "import { createCarrierFetch } from '#services/worker/refresh/carrier-http.ts';\nexport const planted = createCarrierFetch;\n",
  },
];

const allowed: Planted[] = [
  {
    place: 'services/api/docs',
    statement: "import { createDocument } from 'zod-openapi';\nexport const planted = createDocument;\n",
  },
  {
    place: 'infra',
    statement:
      "import { landfallDocument } from '#services/api/docs/landfall-document.ts';\nexport const planted = landfallDocument;\n",
  },
  { place: 'shared/core', statement: storeType },
  { place: 'services/api/mcp', statement: mcpServer },
  { place: 'services/api/auth', statement: betterAuth },
  {
    place: 'services/dashboard/parts',
    statement: "import type { Status } from '#shared/domain/shipments/shipment.ts';\nexport type Planted = Status;\n",
  },
  {
    place: 'services/dashboard/shell/parts',
    statement: "import { ask } from '../../api/request.ts';\nexport const planted = ask;\n",
  },
  {
    place: 'services/worker/carriers/dcsa',
    statement: "import type { Connector } from '../carrier.ts';\nexport type Planted = Connector;\n",
  },
];

const pathOf = ({ place }: Planted, name: string): string => (place.endsWith('.ts') ? place : `${place}/${name}.ts`);
const forbiddenRows = forbidden.map((row, index) => ({ ...row, path: pathOf(row, `forbidden-${index}`) }));
const allowedRows = allowed.map((row, index) => ({ ...row, path: pathOf(row, `allowed-${index}`) }));

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'landfall-rules-'));
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  config.vcs = { enabled: false };
  delete config.$schema;
  writeFileSync(join(tree, 'biome.json'), JSON.stringify(config));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  for (const { path, statement } of [...forbiddenRows, ...allowedRows]) plant(path, statement);
  violations = lint();
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

it.each(forbiddenRows)('rejects a forbidden import in $path: $statement', ({ path }) => {
  expect(violations.get(path)).toContain('lint/style/noRestrictedImports');
});

it.each(allowedRows)('accepts an allowed import in $path: $statement', ({ path }) => {
  expect(violations.get(path) ?? new Set()).not.toContain('lint/style/noRestrictedImports');
});

function plant(path: string, statement: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), statement);
}

/** The violated rules by file. All files are judged by one run: a run per file took 40 times the CPU. */
function lint(): Map<string, Set<string>> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [biome, 'lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none'],
    { cwd: tree, encoding: 'utf8' },
  );
  const found = new Map<string, Set<string>>();
  for (const { category, location } of parseReport(stdout, stderr)) {
    const path = typeof location.path === 'string' ? location.path : location.path.file;
    found.set(path, (found.get(path) ?? new Set()).add(category));
  }
  return found;
}

type Diagnostic = { category: string; location: { path: string | { file: string } } };

function parseReport(stdout: string, stderr: string): Diagnostic[] {
  try {
    return JSON.parse(stdout).diagnostics;
  } catch {
    throw new Error(`Biome returned no report:\n${stdout.slice(0, 2000)}\n${stderr.slice(0, 2000)}`);
  }
}
