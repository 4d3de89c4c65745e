import type { FastifyInstance } from 'fastify';
import type { CarrierRoute } from './carrier-route.ts';
import { type Examples, examplesOf } from './examples.ts';
import type { ConnectorCounts, ServedLog } from './served-log.ts';

type Connector = {
  connector: string;
  paths: { method: string; path: string; kind: string }[];
  examples: Examples;
  served: ConnectorCounts | null;
};

export type ListedRoute = { method: string; path: string; carrier: CarrierRoute };

/**
 * `GET /`: every connector with its paths, example numbers and counts. HTML, or JSON for a client that accepts only
 * JSON.
 */
export function addOverviewPage(
  app: FastifyInstance,
  world: { seed: string; served: ServedLog; routes: readonly ListedRoute[] },
): void {
  const examples = new Map<string, Examples>();
  app.get('/', async (request, reply) => {
    const byConnector = Map.groupBy(world.routes, ({ carrier }) => carrier.connector);
    const served = world.served.connectors();
    const connectors = [...byConnector].map(([connector, routes]): Connector => {
      const known = examples.get(connector) ?? examplesOf(world.seed, connector);
      examples.set(connector, known);
      const paths = routes.map(({ method, path, carrier }) => ({ method, path, kind: carrier.kind }));
      return { connector, paths, examples: known, served: served[connector] ?? null };
    });
    if (!request.headers.accept?.includes('text/html')) return { seed: world.seed, connectors };
    return reply.type('text/html; charset=utf-8').send(page(world.seed, connectors));
  });
}

function page(seed: string, connectors: readonly Connector[]): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Simulated carriers</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}table{border-collapse:collapse}
td,th{border-bottom:1px solid #ddd;padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}code{font-size:13px}</style></head>
<body><h1>Simulated carriers</h1>
<p>Seed <code>${escaped(seed)}</code>. Numbers that end in 0 to 4 run in fast motion. Numbers that contain 404 are unknown to the carrier.
<a href="/receiver">Webhook receiver</a> <a href="/inbox">Inbox</a></p>
${connectors.map(section).join('\n')}
</body></html>`;
}

function section({ connector, paths, examples, served }: Connector): string {
  const rows = (entries: [string, string | number][]) =>
    entries
      .map(([name, value]) => `<tr><td>${escaped(name)}</td><td><code>${escaped(String(value))}</code></td></tr>`)
      .join('');
  const counts = (title: string, by: Record<string, number>) =>
    `<tr><th colspan="2">${title}</th></tr>${rows(Object.entries(by))}`;
  return `<h2>${escaped(connector)}</h2>
<table>${rows(paths.map(({ method, path, kind }) => [`${method} (${kind})`, path]))}</table>
<h3>Numbers to try</h3><table>${rows(Object.entries(examples))}</table>
${
  served === null
    ? '<p>No requests yet.</p>'
    : `<h3>Requests</h3><table><tr><td>Total</td><td>${served.calls}</td></tr>
${counts('By kind', served.byKind)}${counts('By status', served.byStatus)}${counts('Injected faults', served.byFault)}${counts('By credentials', served.byCredential)}
${counts('Per minute', served.byMinute)}${counts('By numbers per request', served.byNumbersOfCall)}</table>`
}`;
}

/** A text as it stands in HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
