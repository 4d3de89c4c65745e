import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect } from 'vitest';
import type { ListedTool } from './desk-questions/scripted-caller.ts';
import { type Answer, type Call, maxCalls, type NextCall } from './question.ts';

const toolNames = { list: 'list_shipments_summary', details: 'get_shipment_details' } as const;

export type Agent = {
  /** Makes one sequence of calls in order. Fails on more than two. */
  pursue: (way: readonly NextCall[]) => Promise<Answer[]>;
  listTools: () => Promise<ListedTool[]>;
  /** The tokens spent on the list of tools, once per conversation. */
  tokensOfTools: () => Promise<number>;
  close: () => Promise<void>;
};

/** An MCP client over HTTP with this key. */
export async function connectAgent(url: string, key: string): Promise<Agent> {
  const client = new Client({ name: 'questions', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/v1/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const callOnce = async ({ tool, args }: Call): Promise<Answer> => {
    const result = await client.callTool({ name: toolNames[tool], arguments: args });
    const [{ text }] = result.content as [{ text: string }];
    const isError = result.isError === true;
    if (!isError) expect(JSON.parse(text)).toEqual(result.structuredContent);
    const request = JSON.stringify({ name: toolNames[tool], arguments: args });
    return {
      tool,
      args,
      text,
      isError,
      content: result.structuredContent,
      tokensIn: encode(request).length,
      tokensOut: encode(text).length,
    };
  };
  return {
    pursue: async (way) => {
      expect(way.length).toBeLessThanOrEqual(maxCalls);
      const answers: Answer[] = [];
      for (const next of way) {
        const call = typeof next === 'function' ? next(answers) : next;
        if (call === null) break;
        answers.push(await callOnce(call));
      }
      return answers;
    },
    listTools: async () => (await client.listTools()).tools as unknown as ListedTool[],
    tokensOfTools: async () => encode(JSON.stringify(await client.listTools())).length,
    close: () => client.close(),
  };
}
