import type { Span } from '@opentelemetry/api';
import type { Instrumentation } from '@opentelemetry/instrumentation';
import { PgInstrumentation, type PgRequestHookInformation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation, type UndiciRequest } from '@opentelemetry/instrumentation-undici';
import { webhookAgent } from '#shared/domain/webhooks/send-webhook.ts';

type Naming = { name: string; statement: string };

const beginsWithComment = /^\s*(?:--|\/\*)/;
const leadingComments = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;
/** The function that a statement calls, else its table. */
const subject = /^(?:select\s+(?:[^()]*?\bfrom\s+)?|insert\s+into\s+|update\s+|delete\s+from\s+)([\w.]+)/i;
/** More than the queue's package has statements, and a bound on memory for statements that are made up at run time. */
const maxRemembered = 500;
const remembered = new Map<string, Naming>();

/**
 * Instruments database queries and outgoing HTTP. Redis is left out: bullmq-otel traces each queue operation, and the
 * arguments of a command would contain payloads.
 */
export function createInstrumentations(): Instrumentation[] {
  return [
    new PgInstrumentation({
      requireParentSpan: true,
      ignoreConnectSpans: true,
      enhancedDatabaseReporting: false,
      requestHook: nameStatement,
    }),
    new UndiciInstrumentation({ requireParentforSpans: true, ignoreRequestHook: isWebhook }),
  ];
}

/**
 * True for requests of the webhook sender, also to Slack and Teams. The address may be a secret of the receiver, and
 * the delivery makes its own span and `traceparent`.
 */
export function isWebhook({ headers }: Pick<UndiciRequest, 'headers'>): boolean {
  return Array.isArray(headers) && headers.some((part) => String(part).startsWith(webhookAgent));
}

/**
 * Names the span of an unnamed statement after its verb and its function or table. The queue's statements begin with a
 * comment, which the instrumentation takes for the verb and which is all that a trace would show.
 */
export function nameStatement(span: Span, { connection, query }: PgRequestHookInformation): void {
  if (query.name !== undefined || !beginsWithComment.test(query.text)) return;
  const { name, statement } = remembered.get(query.text) ?? remember(query.text);
  span.updateName(`pg.query:${name}${connection.database === undefined ? '' : ` ${connection.database}`}`);
  span.setAttribute('db.query.text', statement);
}

function remember(text: string): Naming {
  const statement = text.replace(leadingComments, '');
  const verb = (/^\w+/.exec(statement)?.[0] ?? '').toUpperCase();
  const about = subject.exec(statement)?.[1];
  const naming = { name: about === undefined ? verb || 'comment' : `${verb} ${about}`, statement };
  if (remembered.size < maxRemembered) remembered.set(text, naming);
  return naming;
}
