import { toolDefinitions } from '../mcp/call-tool.ts';
import { table } from './markdown-html.ts';

type Definition = (typeof toolDefinitions)[number];
type Argument = {
  type?: string;
  enum?: string[];
  items?: { type?: string; enum?: string[] };
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  description?: string;
};

/** The tools as `tools/list` describes them, in Markdown. */
export function toolSections(): string {
  return toolDefinitions.map(toolSection).join('\n\n');
}

function toolSection({ name, description, inputSchema, outputSchema }: Definition): string {
  const rows = Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => [
    `\`${argument}\``,
    argumentWords(schema as Argument),
  ]);
  const needed = name === 'get_shipment_details' ? ', but one must contain the number' : '';
  const fields = Object.keys(outputSchema.properties ?? {}).map((field) => `\`${field}\``);
  return `### \`${name}\`

${description}

${table(['Argument', 'Value'], rows)}

All arguments are optional${needed}. Unknown arguments are refused by name. The result contains ${fields.join(', ')}.
Unknown values are omitted.`;
}

function argumentWords(schema: Argument): string {
  const one = schema.items ?? schema;
  const list = schema.type === 'array' ? `list of ${one.enum === undefined ? `${one.type}s` : ''}` : null;
  const facts = [
    list ?? (one.enum === undefined ? schema.type : ''),
    one.enum?.map((value) => `\`${value}\``).join(' '),
    schema.minimum === undefined || schema.maximum === undefined ? '' : `${schema.minimum} to ${schema.maximum}`,
    schema.minLength === undefined ? '' : `at least ${schema.minLength} characters`,
    schema.default === undefined ? '' : `default \`${String(schema.default)}\``,
  ];
  const shown = facts.filter(Boolean).join('; ').replace('list of ; ', 'list of ');
  if (schema.description === undefined) return shown;
  return `${schema.description.replace(/[^.…]$/, '$&.')} ${shown}`.trim();
}
