import { toShipmentId } from '#shared/contract/shipments/shipment-id.ts';
import type { TraceFilter, TraceSummary } from '#shared/domain/operations/trace.ts';
import { escapeHtml } from '../docs/page-frame.ts';
import { duration, moment, tracePage } from './trace-page.ts';

/** The page of `/operations/traces`: what was asked for, and the traces that fit. */
export function renderTraceList(traces: readonly TraceSummary[], filter: TraceFilter): string {
  const rows = traces.map(row).join('\n');
  const table =
    traces.length === 0
      ? '<p>No trace fits. Failed, slow and rate-limited ones are kept for two days, and a share of the others.</p>'
      : `<div class="wide"><table>
<thead><tr><th>began (UTC)</th><th>what</th><th>took</th><th>result</th><th>carrier</th><th>shipment</th></tr></thead>
<tbody>
${rows}
</tbody></table></div>`;
  return tracePage('Traces', `<h1>Traces</h1>\n${form(filter)}\n${table}`);
}

function form(filter: TraceFilter): string {
  const shipment = filter.shipmentId === null ? '' : toShipmentId(filter.shipmentId);
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[], chosen: string) =>
    `<label>${label}<select name="${name}">${options
      .map(([value, text]) => `<option value="${value}"${value === chosen ? ' selected' : ''}>${text}</option>`)
      .join('')}</select></label>`;
  const outcomes = [
    ['', 'any'],
    ['changed', 'changed'],
    ['unchanged', 'unchanged'],
    ['not_found', 'not found'],
    ['error', 'error'],
  ] as const;
  const spans = [
    ['900', '15 minutes'],
    ['3600', 'hour'],
    ['86400', 'day'],
    ['259200', 'all that is kept'],
  ] as const;
  return `<form method="get" action="/operations/traces">
<label>shipment<input name="shipment" value="${escapeHtml(shipment)}" size="30"></label>
<label>carrier<input name="carrier" value="${escapeHtml(filter.carrier ?? '')}" size="8"></label>
${choice('outcome', 'outcome', outcomes, filter.outcome ?? '')}
${choice(
  'failed',
  'show',
  [
    ['', 'all'],
    ['true', 'failed only'],
  ],
  filter.failed ? 'true' : '',
)}
${choice('since_s', 'since', spans, String(filter.sinceS))}
${choice(
  'order',
  'order',
  [
    ['newest', 'newest first'],
    ['slowest', 'slowest first'],
  ],
  filter.order,
)}
<button>Show</button>
</form>`;
}

function row(trace: TraceSummary): string {
  const shipmentId = trace.shipmentId === null ? null : toShipmentId(trace.shipmentId);
  const shipment =
    shipmentId === null ? '' : `<a class="mono" href="/operations/traces?shipment=${shipmentId}">${shipmentId}</a>`;
  return `<tr>
<td class="mono moment">${moment(trace.startedAtUs)}</td>
<td><a href="/operations/traces/${trace.traceId}">${escapeHtml(trace.name)}</a> <span class="quiet">${escapeHtml(trace.services.join(', '))}</span></td>
<td class="number">${duration(trace.durationUs)}</td>
<td>${result(trace)}</td>
<td>${escapeHtml(trace.carrier ?? '')}</td>
<td>${shipment}</td>
</tr>`;
}

function result(trace: TraceSummary): string {
  const told = [trace.outcome, trace.httpStatus, trace.errorType]
    .filter((value) => value !== null)
    .map((value) => escapeHtml(String(value)));
  const text = [...new Set(told)].join(' · ');
  return trace.failed ? `<span class="bad">${text || 'failed'}</span>` : text;
}
