export type FoundSchema = { name: string; comment: string | null; grants: SchemaGrant[] };
export type FoundFunction = {
  definition: string;
  signature: string;
  owner: string | null;
  isPublic: boolean;
  grants: SchemaGrant[];
};
export type FoundSequence = { name: string; type: string; cache: string; grants: SchemaGrant[] };
export type FoundRelation = {
  name: string;
  unlogged: boolean;
  options: string[];
  partitionKey: string | null;
  /** As in `partition of landfall.spans default`. */
  partitionOf: string | null;
  columns: { name: string; type: string; collation: string | null; notNull: boolean; default: string | null }[];
  constraints: { name: string; definition: string }[];
  indexes: string[];
  triggers: string[];
  rowSecurity: boolean;
  forced: boolean;
  policies: {
    name: string;
    restrictive: boolean;
    command: string;
    roles: string;
    using: string | null;
    check: string | null;
  }[];
  grants: SchemaGrant[];
  columnGrants: (SchemaGrant & { columns: string })[];
};

/** Privileges of one role on one object, or on the same columns of one. */
export type SchemaGrant = { role: string; privileges: string };

const maxLineLength = 120;

export function formatSchema({ name, comment, grants }: FoundSchema): string {
  const mark = comment === null ? [] : [`comment on schema ${name} is '${comment.replaceAll("'", "''")}';`];
  return lines([`create schema ${name};`, ...mark, ...formatGrants(grants, `schema ${name}`)]);
}

export function formatSequence({ name, type, cache, grants }: FoundSequence): string {
  return lines([`create sequence ${name} as ${type} cache ${cache};`, ...formatGrants(grants, `sequence ${name}`)]);
}

/** A table followed by its indexes, triggers, policies and grants. */
export function formatRelation(table: FoundRelation): string {
  const { name } = table;
  return lines([
    formatTable(table),
    ...table.indexes.map((index) => statement(lowerCased(index).replace(' using btree ', ' '), / (?=on |where )/)),
    ...table.triggers.map((trigger) => statement(lowerCased(trigger), / (?=for each |when |execute )/)),
    ...(table.rowSecurity ? [`alter table ${name} enable row level security;`] : []),
    ...(table.forced ? [`alter table ${name} force row level security;`] : []),
    ...table.policies.map((policy) => formatPolicy(policy, name)),
    ...formatGrants(table.grants, name),
    ...table.columnGrants.map(({ role, privileges, columns }) =>
      statement(`grant ${privileges} (${columns}) on ${name} to ${role}`),
    ),
  ]);
}

export function formatFunction({ definition, signature, owner, isPublic, grants }: FoundFunction): string {
  const [head = '', body] = lowerCased(definition).replace('create or replace', 'create').trim().split('$function$');
  const header = head
    .split('\n')
    .map((line) => wrap(line.trim(), line.startsWith(' ') ? 1 : 0))
    .join('\n');
  return lines([
    body === undefined ? `${header};` : `${header} $$${body}$$;`,
    ...(owner === null ? [] : [statement(`alter function ${signature} owner to ${owner}`)]),
    ...(isPublic ? [] : [statement(`revoke execute on function ${signature} from public`)]),
    ...formatGrants(grants, `function ${signature}`),
  ]);
}

function formatTable(table: FoundRelation): string {
  const create = `create ${table.unlogged ? 'unlogged ' : ''}table ${table.name}`;
  if (table.partitionOf !== null) return statement(`${create} partition of ${lowerCased(table.partitionOf)}`);
  const parts = [...table.columns.map(formatColumn), ...table.constraints.map(formatConstraint)];
  const options = table.options.map((option) => option.replace('=', ' = ')).join(', ');
  const ending = [
    ')',
    ...(table.partitionKey === null ? [] : [`partition by ${lowerCased(table.partitionKey)}`]),
    ...(options === '' ? [] : [`with (${options})`]),
  ];
  return `${create} (\n${parts.map((part) => wrap(part, 1)).join(',\n')}\n${statement(ending.join(' '))}`;
}

function formatColumn({ name, type, collation, notNull, default: value }: FoundRelation['columns'][number]): string {
  const parts = [name, lowerCased(type)];
  if (collation !== null) parts.push(`collate ${collation}`);
  if (notNull) parts.push('not null');
  if (value !== null) parts.push(`default ${lowerCased(value)}`);
  return parts.join(' ');
}

function formatConstraint({ name, definition }: FoundRelation['constraints'][number]): string {
  return `constraint ${name} ${lowerCased(definition)}`;
}

function formatPolicy(policy: FoundRelation['policies'][number], table: string): string {
  const { name, restrictive, command, roles, using, check } = policy;
  const parts = [`create policy ${name} on ${table}${restrictive ? ' as restrictive' : ''} for ${command} to ${roles}`];
  if (using !== null) parts.push(`using ${bracketed(lowerCased(using))}`);
  if (check !== null) parts.push(`with check ${bracketed(lowerCased(check))}`);
  return statement(parts.join(' '), / (?=using |with check )/);
}

function formatGrants(grants: readonly SchemaGrant[], object: string): string[] {
  return grants.map(({ role, privileges }) => statement(`grant ${privileges} on ${object} to ${role}`));
}

/** One line where it fits, else a line for each part. */
function statement(text: string, parting?: RegExp): string {
  if (parting === undefined || text.length < maxLineLength) return `${wrap(text, 0)};`;
  const [first = '', ...rest] = text.split(parting);
  return `${[wrap(first, 0), ...rest.map((part) => wrap(part, 1))].join('\n')};`;
}

function lines(parts: readonly string[]): string {
  return `${parts.join('\n')}\n`;
}

function bracketed(condition: string): string {
  return condition.startsWith('(') && condition.endsWith(')') ? condition : `(${condition})`;
}

/** PostgreSQL prints keywords in upper case, long names of types, and a type after every literal. */
function lowerCased(sql: string): string {
  return sql
    .replaceAll(quotedOrNot, (part) => (/^['"$]/.test(part) ? part : part.toLowerCase()))
    .replaceAll(/timestamp(\(\d\))? with time zone/g, 'timestamptz$1')
    .replaceAll(/'::text\b(?!\[)/g, "'");
}

const quotedOrNot = /'(?:[^']|'')*'|"[^"]*"|\$function\$[\s\S]*?\$function\$|[^'"$]+/g;

/** Breaks lines at spaces, but never inside a literal. */
function wrap(text: string, indent: number): string {
  const wrapped: string[] = [];
  let line = '  '.repeat(indent);
  for (const word of text.match(/(?:'(?:[^']|'')*'|"[^"]*"|[^\s'"])+/g) ?? []) {
    const longer = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    if (longer.length < maxLineLength) {
      line = longer;
      continue;
    }
    wrapped.push(line);
    line = `${'  '.repeat(indent + 1)}${word}`;
  }
  return [...wrapped, line].join('\n');
}
