import type { Span } from '@opentelemetry/api';
import type { PgRequestHookInformation } from '@opentelemetry/instrumentation-pg';

type Told = { name: string; statement: string };

const beginsWithComment = /^\s*(?:--|\/\*)/;
const leadingComments = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;
/** A function that a statement is about, else the table. */
const subject = /^(?:select\s+(?:[^()]*?\bfrom\s+)?|insert\s+into\s+|update\s+|delete\s+from\s+)([\w.]+)/i;
/** The queue's statements are files of its package, of which there are fewer; whoever makes up texts must not fill the memory. */
const mostRemembered = 500;
const remembered = new Map<string, Told>();

/**
 * Names the span of a statement without a name of its own after its verb and what it is about. Those of the queue begin with a comment,
 * which the instrumentation takes for the verb, and of whose text a trace would show nothing else.
 */
export function nameStatement(span: Span, { connection, query }: PgRequestHookInformation): void {
  if (query.name !== undefined || !beginsWithComment.test(query.text)) return;
  const { name, statement } = remembered.get(query.text) ?? remember(query.text);
  span.updateName(`pg.query:${name}${connection.database === undefined ? '' : ` ${connection.database}`}`);
  span.setAttribute('db.query.text', statement);
}

function remember(text: string): Told {
  const statement = text.replace(leadingComments, '');
  const verb = (/^\w+/.exec(statement)?.[0] ?? '').toUpperCase();
  const about = subject.exec(statement)?.[1];
  const told = { name: about === undefined ? verb || 'comment' : `${verb} ${about}`, statement };
  if (remembered.size < mostRemembered) remembered.set(text, told);
  return told;
}
