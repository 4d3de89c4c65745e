import { type Json, jsonOf, type TestApi } from './api.ts';

export type ToolAnswer = { content: { type: string; text: string }[]; structuredContent?: Json; isError?: boolean };

let ids = 0;

/** Calls a tool over HTTP like a legacy client, without `initialize`. `key`: instead of the live key. */
export async function callOverHttp(api: TestApi, name: string, args: unknown, key = api.key): Promise<ToolAnswer> {
  ids += 1;
  const body = { jsonrpc: '2.0', id: ids, method: 'tools/call', params: { name, arguments: args } };
  const answer = await jsonOf(await api.post('/v1/mcp', body, { authorization: `Bearer ${key}` }));
  if (answer.result === undefined) throw new Error(`no result: ${JSON.stringify(answer)}`);
  return answer.result;
}

export const listTool = 'list_shipments_summary';
export const detailsTool = 'get_shipment_details';

/** The text of a result that must be an error. */
export async function refusalOf(answer: ToolAnswer | Promise<ToolAnswer>): Promise<string> {
  const { isError, content } = await answer;
  if (isError !== true) throw new Error(`not an error: ${content[0]?.text.slice(0, 300)}`);
  return content[0]?.text ?? '';
}

/** The result of a call that must succeed. */
export async function successOf(answer: ToolAnswer | Promise<ToolAnswer>): Promise<Json> {
  const { isError, content, structuredContent } = await answer;
  if (isError === true) throw new Error(`an error: ${content[0]?.text}`);
  return structuredContent;
}
