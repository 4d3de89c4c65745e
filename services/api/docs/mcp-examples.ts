import { readFileSync } from 'node:fs';

/** A question that an agent answers with one call. */
export type McpExample = {
  id: string;
  question: string;
  call: { name: string; arguments: Record<string, unknown> };
  /** What to see in the answer. */
  reading: string;
};

export const mcpExamples: readonly McpExample[] = [
  {
    id: 'late',
    question: 'Which of my shipments are more than a day late?',
    call: { name: 'list_shipments_summary', arguments: { delayed_min_hours: 24, sort: 'eta' } },
    reading:
      '`total`, `counts_by_status` and `stale_count` speak of all that match, so that no page is taken for the whole.',
  },
  {
    id: 'why',
    question: 'Where is container HLXU1234561, and why does it not move?',
    call: { name: 'get_shipment_details', arguments: { container: 'HLXU1234561' } },
    reading:
      '`status_evidence` is the event that the status stands on, `exceptions` says what is wrong, `data_as_of` how fresh it is.',
  },
  {
    id: 'mistyped',
    question: 'What about MSKU1234560?',
    call: { name: 'get_shipment_details', arguments: { identifier: 'MSKU1234560' } },
    reading:
      'A number with a typing error. The answer is marked `isError` and says what was searched, what is near, and what to do next.',
  },
];

/** The answer to each, as the product gave it: `structuredContent`, or the text of an error. Written by a test, with `vitest -u`. */
export type McpExampleAnswers = Record<string, Record<string, unknown> | string>;

export const answersFile = new URL('mcp-example-answers.json', import.meta.url);

export function readExampleAnswers(): McpExampleAnswers {
  return JSON.parse(readFileSync(answersFile, 'utf8')) as McpExampleAnswers;
}

const widestInline = 96;

/** JSON for reading: what fits stands on one line, unless it holds lists or objects itself. */
export function readableJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one: unknown) => ['', one] as const)
    : Object.entries(value).map(([key, one]) => [`${JSON.stringify(key)}: `, one] as const);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const isFlat = parts.every(([, one]) => typeof one !== 'object' || one === null);
  const inline = parts.map(([key, one]) => key + JSON.stringify(one)).join(', ');
  if (isFlat && indent !== '' && indent.length + inline.length <= widestInline)
    return isList ? `[${inline}]` : `{ ${inline} }`;
  const deeper = `${indent}  `;
  return `${open}\n${parts.map(([key, one]) => deeper + key + readableJson(one, deeper)).join(',\n')}\n${indent}${close}`;
}
