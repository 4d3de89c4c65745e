import type { SpanAttribute } from '#shared/domain/operations/trace.ts';
import type { Waterfall, WaterfallSpan } from '#shared/domain/operations/waterfall.ts';
import { escapeHtml } from '../docs/page-frame.ts';
import { duration, moment, tracePage } from './trace-page.ts';

const scale = 1000;
const leastWidth = 3;

/** The page of one trace: a line a span, indented below its parent, with a bar for when and how long; opened, it shows what is known of it. */
export function renderWaterfall(trace: Waterfall): string {
  const [first] = trace.spans;
  const services = [...new Set(trace.spans.map((span) => span.service))].join(', ');
  const lines = trace.spans.map((span) => line(span, trace.durationUs)).join('\n');
  const title = first?.name ?? 'Trace';
  return tracePage(
    title,
    `<h1>${escapeHtml(title)}</h1>
<p class="quiet">${moment(trace.startedAtUs)} UTC · ${duration(trace.durationUs)} · ${trace.spans.length} ${trace.spans.length === 1 ? 'span' : 'spans'} · ${escapeHtml(services)} · <span class="mono">${trace.traceId}</span></p>
<ol>
${lines}
</ol>`,
  );
}

/** The page for a trace that is not there. */
export function renderTraceMissing(traceId: string): string {
  return tracePage(
    'No such trace',
    `<h1>This trace is not kept</h1>
<p class="mono">${escapeHtml(traceId.slice(0, 64))}</p>
<p>Failed, slow and rate-limited traces are kept for two days, and a share of the others. What the last refreshes found is kept with
each shipment: <code>GET /v1/shipments/{shipment_id}/refreshes</code>.</p>`,
  );
}

function line(span: WaterfallSpan, totalUs: number): string {
  const total = Math.max(totalUs, 1);
  const x = Math.min((span.offsetUs / total) * scale, scale - leastWidth);
  const width = Math.max(Math.min((span.durationUs / total) * scale, scale - x), leastWidth);
  const failed = span.status === 'error';
  return `<li><details>
<summary><span><span class="depth">${'· '.repeat(Math.min(span.depth, 20))}</span>${failed ? '<span class="bad">✗ </span>' : ''}${escapeHtml(span.name)} <span class="quiet">${escapeHtml(note(span))}</span></span>
<svg viewBox="0 0 ${scale} 12" preserveAspectRatio="none" aria-hidden="true"><rect${failed ? ' class="error"' : ''} x="${x.toFixed(1)}" y="1" width="${width.toFixed(1)}" height="10"/></svg>
<span>${duration(span.durationUs)}</span></summary>
<dl>
${details(span)}
</dl>
</details></li>`;
}

/** What tells most about a span, in its line. */
function note(span: WaterfallSpan): string {
  const told = [
    'server.address',
    'http.response.status_code',
    'refresh.outcome',
    'error.type',
    'db.postgresql.plan',
    'carrier.code',
  ].flatMap((name) => (span.kind === 'server' && name === 'server.address' ? [] : (span.attributes[name] ?? [])));
  const isQuery = 'db.system.name' in span.attributes;
  const why = span.attributes['refresh.not_asked'];
  return [...new Set(isQuery ? told.slice(1) : told), ...(why === undefined ? [] : [`not asked: ${why}`])].join(' · ');
}

function details(span: WaterfallSpan): string {
  const facts: [string, string][] = [
    ['service', escapeHtml(span.service)],
    ['kind', span.kind],
    ['begins after', duration(span.offsetUs)],
    ['span id', span.spanId],
    ...Object.entries(span.attributes).map(([name, value]): [string, string] => [
      escapeHtml(name),
      attribute(name, value),
    ]),
    ...span.links.map(({ traceId }): [string, string] => [
      'linked to',
      `<a class="mono" href="/operations/traces/${escapeHtml(traceId)}">${escapeHtml(traceId)}</a>`,
    ]),
  ];
  return facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n');
}

function attribute(name: string, value: SpanAttribute): string {
  const text = escapeHtml(String(value));
  if (name === 'shipment.id' && /^shp_[0-9a-z]{26}$/.test(text))
    return `<a class="mono" href="/operations/traces?shipment=${text}">${text}</a>`;
  return text;
}
