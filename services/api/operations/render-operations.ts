import { toShipmentId } from '#shared/contract/shipments/shipment-id.ts';
import { findTroubles, inWords, type Trouble } from '#shared/domain/operations/find-troubles.ts';
import type { ConnectorState, OperationsState, RecentFailure } from '#shared/domain/operations/operations.ts';
import { escapeHtml } from '../docs/page-frame.ts';

/** What the page shows of one moment; the script puts a newer one in its place. */
export function renderOperations(state: OperationsState): string {
  const troubles = findTroubles(state);
  return `${verdict(troubles)}
${tiles(state)}
<h2>Carriers</h2>
${carrierTable(state, troubles)}
<h2>Failures of the last 15 minutes</h2>
${failureTable(state)}
<h2>Last errors</h2>
${errorTable(state.recent)}
<h2>Queues</h2>
${queueTable(state)}
<p class="quiet">As of <time datetime="${state.at}">${clock(state.at)} UTC</time>, from the database: what all processes wrote. Calls and their durations
are those of the last five minutes; “usually” is the p95 of the last two days.</p>`;
}

/** In place of the rest while the database is away. */
export function renderAway(at: string): string {
  return `<section class="verdict bad"><h2>What is wrong now</h2><ul><li><strong>The database does not answer.</strong> Requests are answered
503 until it is back; nothing that was acknowledged is lost.</li></ul></section><p class="quiet">As of ${clock(at)} UTC.</p>`;
}

function verdict(troubles: readonly Trouble[]): string {
  if (troubles.length === 0) return '<section class="verdict fine"><h2>What is wrong now</h2><p>Nothing.</p></section>';
  const isBad = troubles.some(({ severity }) => severity === 'bad');
  const items = troubles.map(
    ({ severity, text }) =>
      `<li><span class="mark ${severity}">${severity === 'bad' ? 'problem' : 'warning'}</span> ${escapeHtml(text)}</li>`,
  );
  return `<section class="verdict ${isBad ? 'bad' : 'warn'}"><h2>What is wrong now</h2><ul>${items.join('\n')}</ul></section>`;
}

function tiles(state: OperationsState): string {
  const due = state.dueCount >= 10_000 ? '10,000 or more' : state.dueCount.toLocaleString('en');
  const facts: [string, string, string][] = [
    ['Oldest due', state.dueCount === 0 ? 'none' : inWords(state.dueOldestAgeS), `${due} due and not taken`],
    ['Workers', String(state.workers), 'alive'],
    ['Registrations', state.registrationsPerMinute.toLocaleString('en'), 'in the last minute'],
    ['Carrier calls', state.callsPerMinute.toLocaleString('en'), 'a minute'],
    ['Feed', state.unsequencedAgeS === 0 ? 'up to date' : inWords(state.unsequencedAgeS), 'behind the changes'],
    ['Deliveries', state.deliveryAgeS === 0 ? 'none wait' : inWords(state.deliveryAgeS), 'oldest from a carrier'],
  ];
  return `<dl class="tiles">${facts.map(([name, value, note]) => `<div><dt>${name}</dt><dd>${value}</dd><dd class="quiet">${note}</dd></div>`).join('')}</dl>`;
}

function carrierTable({ connectors }: OperationsState, troubles: readonly Trouble[]): string {
  if (connectors.length === 0) return '<p>No carrier has been asked in the last hour.</p>';
  const heads = [
    'carrier',
    'circuit',
    'calls',
    'failed',
    'p50',
    'p95',
    'usually',
    'calls left',
    'due',
    'oldest due',
    'last error',
  ];
  return table(
    heads,
    connectors
      .map((one) => ({
        one,
        severity: troubles.find(({ connector }) => connector === one.connector)?.severity ?? null,
      }))
      .toSorted((left, right) => rank(left.severity) - rank(right.severity))
      .map(({ one, severity }) => carrierRow(one, severity)),
  );
}

function rank(severity: Trouble['severity'] | null): number {
  return severity === null ? 2 : ['bad', 'warn'].indexOf(severity);
}

function carrierRow(one: ConnectorState, severity: Trouble['severity'] | null): string[] {
  const failed = one.requests - one.succeeded;
  const mark =
    severity === null ? '' : `<span class="mark ${severity}">${severity === 'bad' ? 'problem' : 'warning'}</span> `;
  const name = `${escapeHtml(one.name)}${one.name === one.connector ? '' : ` <span class="quiet">${escapeHtml(one.connector)}</span>`}`;
  const circuits = { closed: 'closed', half_open: 'half open', open: 'open' };
  const error =
    one.lastErrorAt === null
      ? ''
      : `${escapeHtml(one.lastErrorReason ?? '')} <span class="quiet">${clock(one.lastErrorAt)}</span>`;
  return [
    mark + name,
    one.circuit === 'closed' ? 'closed' : `<strong>${circuits[one.circuit]}</strong>`,
    one.requests.toLocaleString('en'),
    failed === 0 ? '0' : `<strong>${Math.round((failed / one.requests) * 100)} %</strong>`,
    took(one.latencyP50Ms),
    took(one.latencyP95Ms),
    took(one.usualMs),
    one.budgetLeft === null ? '' : Math.floor(one.budgetLeft).toLocaleString('en'),
    one.dueCount.toLocaleString('en'),
    one.dueOldestAgeS === null ? '' : inWords(one.dueOldestAgeS),
    error,
  ];
}

function failureTable({ failures, connectors }: OperationsState): string {
  if (failures.length === 0) return '<p>None.</p>';
  const names = new Map(connectors.map(({ connector, name }) => [connector, name]));
  return table(
    ['refreshes', 'carrier', 'reason', 'HTTP'],
    failures
      .slice(0, 20)
      .map(({ connector, reason, httpStatus, asked, refreshes }) => [
        refreshes.toLocaleString('en'),
        escapeHtml(names.get(connector) ?? connector),
        escapeHtml(reason),
        httpStatus === null ? (asked ? 'no answer' : 'not asked: in a pause') : String(httpStatus),
      ]),
  );
}

function errorTable(recent: readonly RecentFailure[]): string {
  if (recent.length === 0) return '<p>None in the last 15 minutes.</p>';
  return table(
    ['at (UTC)', 'carrier', 'reason', 'HTTP', 'took', 'shipment', 'trace'],
    recent.map((one) => {
      const shipment = toShipmentId(one.shipmentId);
      return [
        clock(one.at),
        escapeHtml(one.carrier),
        escapeHtml(one.reason),
        one.httpStatus === null ? '' : String(one.httpStatus),
        took(one.durationMs),
        `<a class="mono" href="/operations/traces?shipment=${shipment}">${shipment}</a>`,
        one.traceId === null
          ? ''
          : `<a class="mono" href="/operations/traces/${escapeHtml(one.traceId)}">${escapeHtml(one.traceId.slice(0, 8))}…</a>`,
      ];
    }),
  );
}

function queueTable({ queues }: OperationsState): string {
  if (queues === null) return '<p class="bad">The queue does not answer.</p>';
  const busy = queues.filter(({ counts }) => Object.values(counts).some((count) => count > 0));
  if (busy.length === 0) return '<p>All are empty.</p>';
  return table(
    ['queue', 'waiting', 'active', 'delayed', 'failed'],
    busy.map(({ connector, counts }) => [
      escapeHtml(connector),
      ...[counts.waiting, counts.active, counts.delayed, counts.failed].map((count) => count.toLocaleString('en')),
    ]),
  );
}

/** Cells are HTML. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((one) => `<th>${one}</th>`).join('');
  const body = rows
    .map(
      (cells) =>
        `<tr>${cells.map((cell, index) => `<td data-head="${heads[index] ?? ''}"${cell === '' ? ' class="none"' : ''}><div>${cell}</div></td>`).join('')}</tr>`,
    )
    .join('\n');
  return `<table class="cards"><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function took(ms: number | null): string {
  if (ms === null) return '';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function clock(at: string): string {
  return at.slice(11, 19);
}
