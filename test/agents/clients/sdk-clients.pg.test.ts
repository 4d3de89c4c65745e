import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator as ModernValidator } from '@modelcontextprotocol/client/validators/ajv';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AjvJsonSchemaValidator as LegacyValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { viewUris } from '#shared/contract/mcp/view-files.ts';
import {
  type CallTool,
  expectRightAnswers,
  openPortfolio,
  type Portfolio,
  type ToolAnswer,
  toolNames,
} from './portfolio.ts';

type Connected = {
  protocolVersion: string | undefined;
  listTools: () => Promise<{ name: string }[]>;
  listResources: () => Promise<{ uri: string }[]>;
  call: CallTool;
  /** Counts the answers that the client validated against the tool's output schema. */
  checkedAnswers: () => number;
  close: () => Promise<void>;
};

const about = { name: 'landfall-test', version: '1' };
const legacyRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

let portfolio: Portfolio;
beforeAll(async () => {
  portfolio = await openPortfolio();
});
afterAll(() => portfolio.close());

const clients: [name: string, revision: string, connect: () => Promise<Connected>][] = [
  ['version 1', '2025-11-25', connectLegacy],
  ['version 2 with defaults', '2025-11-25', () => connectModern({})],
  ['version 2 in legacy mode', '2025-11-25', () => connectModern({ versionNegotiation: { mode: 'legacy' } })],
  ['version 2 in auto mode', '2026-07-28', () => connectModern({ versionNegotiation: { mode: 'auto' } })],
  ['version 2 pinned', '2026-07-28', () => connectModern({ versionNegotiation: { mode: { pin: '2026-07-28' } } })],
  ...legacyRevisions.map((revision): (typeof clients)[number] => [
    `version 2 with only ${revision}`,
    revision,
    () => connectModern({ supportedProtocolVersions: [revision] }),
  ]),
];

it.each(clients)(
  'the SDK’s client, %s, negotiates %s, lists two tools and two views, and calls both tools',
  async (_name, revision, connect) => {
    const client = await connect();
    try {
      expect(client.protocolVersion).toBe(revision);
      expect((await client.listTools()).map((tool) => tool.name)).toEqual(toolNames);
      expect((await client.listResources()).map(({ uri }) => uri)).toEqual(Object.values(viewUris));
      expect(await expectRightAnswers(client.call)).toBe(client.checkedAnswers());
    } finally {
      await client.close();
    }
  },
);

it('every client receives the same tools', async () => {
  const listed: unknown[] = [];
  for (const [, , connect] of clients) {
    const client = await connect();
    listed.push(await client.listTools());
    await client.close();
  }
  expect(listed).toHaveLength(9);
  expect(listed[0]).toMatchObject(
    toolNames.map((name, index) => ({
      name,
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      _meta: { ui: { resourceUri: Object.values(viewUris)[index] } },
    })),
  );
  for (const tools of listed) expect(tools).toEqual(listed[0]);
});

async function connectLegacy(): Promise<Connected> {
  const { validator, checked } = counting(new LegacyValidator());
  const client = new LegacyClient(about, { jsonSchemaValidator: validator });
  const transport = new LegacyTransport(new URL(portfolio.mcpUrl), withKey());
  await client.connect(transport as Parameters<LegacyClient['connect']>[0]);
  return {
    protocolVersion: transport.protocolVersion,
    listTools: async () => (await client.listTools()).tools,
    listResources: async () => (await client.listResources()).resources,
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<ToolAnswer>,
    checkedAnswers: checked,
    close: () => client.close(),
  };
}

async function connectModern(options: ConstructorParameters<typeof ModernClient>[1]): Promise<Connected> {
  const { validator, checked } = counting(new ModernValidator());
  const client = new ModernClient(about, { ...options, jsonSchemaValidator: validator });
  await client.connect(new ModernTransport(new URL(portfolio.mcpUrl), withKey()));
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    listTools: async () => (await client.listTools()).tools,
    listResources: async () => (await client.listResources()).resources,
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<ToolAnswer>,
    checkedAnswers: checked,
    close: () => client.close(),
  };
}

function withKey() {
  return { requestInit: { headers: { authorization: `Bearer ${portfolio.api.key}` } } };
}

/** The client's own validator, wrapped to count the answers that it validates. */
function counting<Provider extends LegacyValidator | ModernValidator>(
  provider: Provider,
): { validator: Provider; checked: () => number } {
  let count = 0;
  const getValidator = provider.getValidator.bind(provider) as (schema: unknown) => (answer: unknown) => unknown;
  const validator = {
    getValidator: (schema: unknown) => {
      const validate = getValidator(schema);
      return (answer: unknown) => {
        count += 1;
        return validate(answer);
      };
    },
  };
  return { validator: validator as unknown as Provider, checked: () => count };
}
