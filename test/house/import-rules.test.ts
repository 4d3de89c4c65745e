import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

// A copy of the rules in an empty tree: a planted file must not touch the real one, where other tests and the linter run.
const root = new URL('../../', import.meta.url).pathname;
let tree: string;

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'landfall-rules-'));
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  config.vcs = { enabled: false };
  delete config.$schema;
  writeFileSync(join(tree, 'biome.json'), JSON.stringify(config));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

const forbidden: [file: string, statement: string][] = [
  ['shared/domain/planted.ts', "import { z } from 'zod';\nexport const planted = z;\n"],
  ['shared/domain/planted.ts', "import { randomUUID } from 'node:crypto';\nexport const planted = randomUUID;\n"],
  [
    'shared/domain/planted.ts',
    "import { openStore } from '#shared/store/open-store.ts';\nexport const planted = openStore;\n",
  ],
  [
    'shared/contract/planted.ts',
    "import { openStore } from '#shared/store/open-store.ts';\nexport const planted = openStore;\n",
  ],
  [
    'shared/async/planted.ts',
    "import { inSpan } from '#shared/telemetry/events.ts';\nexport const planted = inSpan;\n",
  ],
  ['shared/places/planted.ts', "import { Pool } from 'pg';\nexport const planted = Pool;\n"],
  ['shared/limits/planted.ts', "import { Redis } from 'ioredis';\nexport const planted = Redis;\n"],
  ['shared/store/planted.ts', "import { Queue } from 'bullmq';\nexport const planted = Queue;\n"],
  [
    'shared/store/system/planted.ts',
    "import { registerShipment } from '../../core/register-shipment.ts';\nexport const planted = registerShipment;\n",
  ],
  ['shared/queue/planted.ts', "import { Pool } from 'pg';\nexport const planted = Pool;\n"],
  [
    'shared/telemetry/planted.ts',
    "import { openStore } from '#shared/store/open-store.ts';\nexport const planted = openStore;\n",
  ],
  ['shared/core/planted.ts', "import { Pool } from 'pg';\nexport const planted = Pool;\n"],
  [
    'shared/core/planted.ts',
    "import { createLogger } from '#shared/telemetry/logger.ts';\nexport const planted = createLogger;\n",
  ],
  [
    'shared/config/planted.ts',
    "import { openStore } from '#shared/store/open-store.ts';\nexport const planted = openStore;\n",
  ],
  [
    'shared/lifecycle.ts',
    "import { openStore } from '#shared/store/open-store.ts';\nexport const planted = openStore;\n",
  ],
  [
    'services/api/routes/planted.ts',
    "import { openStore } from '#shared/store/open-store.ts';\nexport const planted = openStore;\n",
  ],
  [
    'services/api/routes/planted.ts',
    "import { Server } from '@modelcontextprotocol/sdk/server/index.js';\nexport const planted = Server;\n",
  ],
  [
    'services/api/plugins/planted.ts',
    "export const planted = async () => await import('#services/worker/carriers/registry.ts');\n",
  ],
  [
    'services/api/docs/planted.ts',
    "import type { Store } from '#shared/store/open-store.ts';\nexport type Planted = Store;\n",
  ],
  [
    'services/api/operations/planted.ts',
    "import type { Store } from '#shared/store/open-store.ts';\nexport type Planted = Store;\n",
  ],
  [
    'services/api/mcp/planted.ts',
    "import type { Store } from '#shared/store/open-store.ts';\nexport type Planted = Store;\n",
  ],
  [
    'services/api/dashboard/planted.ts',
    "import type { Store } from '#shared/store/open-store.ts';\nexport type Planted = Store;\n",
  ],
  [
    'services/api/dashboard/planted.ts',
    "import { betterAuth } from 'better-auth';\nexport const planted = betterAuth;\n",
  ],
  [
    'services/api/plugins/planted.ts',
    "import { betterAuth } from 'better-auth';\nexport const planted = betterAuth;\n",
  ],
  ['services/api/auth/planted.ts', "import { Pool } from 'pg';\nexport const planted = Pool;\n"],
  [
    'services/dashboard/planted.ts',
    "import { registerShipment } from '#shared/core/registration/register-shipment.ts';\nexport const planted = registerShipment;\n",
  ],
  [
    'services/dashboard/api/planted.ts',
    "import { registry } from '../../worker/carriers/registry.ts';\nexport const planted = registry;\n",
  ],
  [
    'services/dashboard/parts/planted.ts',
    "import { betterAuth } from 'better-auth';\nexport const planted = betterAuth;\n",
  ],
  [
    'services/api/context.ts',
    "import { connectors } from '#services/worker/carriers/registry.ts';\nexport const planted = connectors;\n",
  ],
  [
    'services/worker/jobs/planted.ts',
    "import { openStore } from '#shared/store/open-store.ts';\nexport const planted = openStore;\n",
  ],
  [
    'services/worker/carriers/planted.ts',
    "import { recordRefresh } from '#test/support/record-refresh.ts';\nexport const planted = recordRefresh;\n",
  ],
  [
    'services/worker/main.ts',
    "import { buildServer } from '#services/api/server.ts';\nexport const planted = buildServer;\n",
  ],
  [
    'services/simulator/planted.ts',
    "import type { EventCode } from '#shared/domain/tracking/event.ts';\nexport type Planted = EventCode;\n",
  ],
  ['infra/planted.ts', "import { buildServer } from '#services/api/server.ts';\nexport const planted = buildServer;\n"],
  ['infra/backup/planted.ts', "import { from } from 'pg-copy-streams';\nexport const planted = from;\n"],
  [
    'infra/doctor/planted.ts',
    "import { createCarrierFetch } from '#services/worker/refresh/carrier-call.ts';\nexport const planted = createCarrierFetch;\n",
  ],
  [
    'infra/planted.ts',
    "import { testDatabase } from '#test/support/postgres.ts';\nexport const planted = testDatabase;\n",
  ],
];

const allowed: [file: string, statement: string][] = [
  [
    'services/api/docs/planted.ts',
    "import { createDocument } from 'zod-openapi';\nexport const planted = createDocument;\n",
  ],
  [
    'infra/planted.ts',
    "import { landfallDocument } from '#services/api/docs/landfall-document.ts';\nexport const planted = landfallDocument;\n",
  ],
  [
    'shared/core/planted.ts',
    "import type { Store } from '#shared/store/open-store.ts';\nexport type Planted = Store;\n",
  ],
  [
    'services/api/mcp/planted.ts',
    "import { Server } from '@modelcontextprotocol/sdk/server/index.js';\nexport const planted = Server;\n",
  ],
  ['services/api/auth/planted.ts', "import { betterAuth } from 'better-auth';\nexport const planted = betterAuth;\n"],
  [
    'services/dashboard/parts/planted.ts',
    "import type { Status } from '#shared/domain/shipments/shipment.ts';\nexport type Planted = Status;\n",
  ],
  [
    'services/dashboard/shell/parts/planted.ts',
    "import { ask } from '../../api/request.ts';\nexport const planted = ask;\n",
  ],
  [
    'services/worker/carriers/dcsa/planted.ts',
    "import type { Connector } from '../carrier.ts';\nexport type Planted = Connector;\n",
  ],
];

it.each(forbidden)('a forbidden import in %s fails the lint: %s', (file, statement) => {
  const result = lint(file, statement);
  expect(result.output).toContain('noRestrictedImports');
  expect(result.status).not.toBe(0);
});

it.each(allowed)('an allowed import in %s passes the lint: %s', (file, statement) => {
  expect(lint(file, statement).output).not.toContain('noRestrictedImports');
});

function lint(file: string, statement: string): { status: number | null; output: string } {
  const path = join(tree, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, statement);
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'lint', '--only=style/noRestrictedImports', file],
    {
      cwd: tree,
      encoding: 'utf8',
    },
  );
  rmSync(path);
  return { status: result.status, output: result.stdout + result.stderr };
}
