import { readFileSync } from 'node:fs';

/** A question that an agent answers with a single call. */
export type McpExample = {
  id: string;
  question: string;
  call: { name: string; arguments: Record<string, unknown> };
  /** Explanation of the response. */
  reading: string;
};

export const mcpExamples: readonly McpExample[] = [
  {
    id: 'late',
    question: 'Which of my shipments are more than a day late?',
    call: { name: 'list_shipments_summary', arguments: { delayed_min_hours: 24, sort: 'eta' } },
    reading:
      '`total`, `counts_by_status` and `stale_count` cover all matches, so that a model does not mistake a page for ' +
      'all of them.',
  },
  {
    id: 'why',
    question: 'Where is container HLXU1234561, and why is it not moving?',
    call: { name: 'get_shipment_details', arguments: { container: 'HLXU1234561' } },
    reading:
      '`status_evidence` is the event that decided the status, `exceptions` lists the problems, and `data_as_of` ' +
      'shows how current the data is.',
  },
  {
    id: 'mistyped',
    question: 'What about MSKU1234560?',
    call: { name: 'get_shipment_details', arguments: { identifier: 'MSKU1234560' } },
    reading:
      'A number with a typo. The result has `isError`, and lists the searched identifiers, similar numbers and the ' +
      'next step.',
  },
];

/** The actual result of each call: `structuredContent`, or the text of an error. Written by a test with `vitest -u`. */
export type McpExampleAnswers = Record<string, Record<string, unknown> | string>;

export const answersFile = new URL('mcp-example-answers.json', import.meta.url);

export function readExampleAnswers(): McpExampleAnswers {
  return JSON.parse(readFileSync(answersFile, 'utf8')) as McpExampleAnswers;
}

const maxInlineWidth = 96;

/** JSON for reading: flat lists and objects that fit are written on one line. */
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
  if (isFlat && indent !== '' && indent.length + inline.length <= maxInlineWidth)
    return isList ? `[${inline}]` : `{ ${inline} }`;
  const deeper = `${indent}  `;
  const lines = parts.map(([key, one]) => deeper + key + readableJson(one, deeper));
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
