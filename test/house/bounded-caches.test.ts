import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { fileText } from '#test/support/repository.ts';

const rootFolder = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Every collection of the API, the workers and the shared code that outlives the call that fills it, with what bounds
 * it. A new one fails the test until it is listed here, and belongs here only with a bound that its input can't lift.
 */
const bounds: Readonly<Record<string, string>> = {
  'services/api/open-streams.ts: streams': 'MAX_STREAMS',
  'services/api/dashboard/kept-maps.ts: kept': 'maxPlaces',
  'services/api/mcp/views.ts: built': 'the two views',
  'services/api/operations/guard.ts: endAtMs': 'maxSessions',
  'services/api/http/connection-limits.ts: counts': 'clients with an open connection or a running request',
  'services/api/http/unread-responses.ts: connections': 'open connections',
  'services/api/http/not-found.ts: paths': 'the routes',
  'services/api/open-memory-budget.ts: takenBy': 'one entry for each account whose files are being read',
  'services/api/parsing/open-parsing.ts: idle': 'parsing threads without work, of which there are two',
  'services/api/parsing/open-parsing.ts: threads': 'parsing threads, of which there are two',
  'services/api/open-permits.ts: taken': 'the accounts and keys of open streams, and of documents on their way',
  'services/api/shared-pages/page-times.ts: formats': 'the languages',
  'services/api/uploads/xlsx/cell-formats.ts: custom': 'maxStyles, of one workbook',
  'shared/store/read-rows.ts: shapes': 'the names of prepared statements, which are part of the code',
  'services/worker/alerts/wake-alerts.ts: named': 'maxNamed',
  'services/worker/carriers/dcsa/dcsa-connector.ts: responses': 'maxResponses',
  'services/worker/carriers/lenient-object.ts: lowerNames': 'maxNames of maxNameLength characters',
  'services/worker/carriers/lufthansa-cargo/read-shipment-status.ts: known': 'one response',
  'services/worker/carriers/lufthansa-cargo/read-shipment-status.ts: byKey': 'one response',
  'services/worker/carriers/oauth-sign-in.ts: tokens': 'maxTokens',
  'services/worker/carriers/reading/status-words/read-status-words.ts: known': 'maxKnown texts of maxLength characters',
  'services/worker/credentials/carrier-access.ts: served': 'accounts served in the last forgetCredentialAfterMs',
  'services/worker/credentials/carrier-access.ts: services': 'credentials used in the last forgetCredentialAfterMs',
  'services/worker/credentials/carrier-access.ts: trials': 'maxTrials',
  'services/worker/credentials/credentials.ts: reads': 'maxCached',
  'services/worker/credentials/evaluate-refusals.ts: pardoned': 'empty',
  'services/worker/credentials/evaluate-refusals.ts: records': 'maxCredentials, each with maxPardoned shipments',
  'services/worker/credentials/evaluate-refusals.ts: refused': 'empty',
  'services/worker/jobs/answer-questions.ts: running': 'the `max` of each kind of question',
  'services/worker/jobs/watch-jobs.ts: running': 'the periodic jobs',
  'services/worker/pacing/backpressure.ts: doneBy': 'the connectors',
  'services/worker/pacing/backpressure.ts: lastTurns': 'maxTurns',
  'services/worker/pacing/backpressure.ts: planned': 'maxTurns',
  'services/worker/pacing/cadence-pressure.ts: credentials': 'replaced by every reading of the demand',
  'services/worker/pacing/cadence-pressure.ts: pressures': 'replaced by every reading of the demand',
  'services/worker/pacing/circuit.ts: known': 'maxFailing',
  'services/worker/pacing/concurrency.ts: opened': 'the connectors',
  'services/worker/refresh/consume.ts: whys': 'one job',
  'services/worker/webhooks/consume.ts: running': 'endpoints that this worker has',
  'services/worker/webhooks/deliver-changes.ts: held': 'shipments in one turn of an endpoint',
  'services/worker/webhooks/deliver-changes.ts: last': 'shipments in one turn of an endpoint',
  'services/worker/webhooks/deliver-changes.ts: running': 'maxAhead',
  'services/worker/webhooks/permits.ts: slowEndpoints': 'maxSlow',
  'services/worker/webhooks/prepared-changes.ts: feeds': 'maxPages',
  'services/worker/webhooks/prepared-changes.ts: kept': 'maxRecordBytes',
  'services/worker/webhooks/prepared-changes.ts: pages': 'maxPages',
  'services/worker/webhooks/progress.ts: open': 'requests of one endpoint and changes behind them',
  'services/worker/webhooks/selections.ts: kept': 'maxKept',
  'services/worker/webhooks/skip-unwanted.ts: kept': 'maxEvaluated',
  'services/worker/webhooks/wake.ts: accountIds': 'empty',
  'services/worker/webhooks/wake.ts: named': 'maxNamed',
  'services/worker/webhooks/wake.ts: pausedUntil': 'accounts that had work in the last claimPauseMs',
  'shared/async/batch.ts: queues': 'keys with waiting or running items',
  'shared/async/fair-queue.ts: lines': 'keys with waiting or running work',
  'shared/async/single-flight.ts: underWay': 'calls that are running',
  'shared/calendars/open-calendar.ts: yearsOff': 'maxYears',
  'shared/calendars/weekends.ts: weekends': 'maxWeekends',
  'shared/contract/imports/import-row-body.ts: givenBy': 'one row',
  'shared/contract/imports/import-row-body.ts: metadata': 'one row',
  'shared/contract/lists/map-wire.ts: points': 'two a group, of one response',
  'shared/core/alerts/evaluate-feed.ts: asked': 'the views of one account',
  'shared/core/alerts/evaluate-feed.ts: found': 'pageSize',
  'shared/core/alerts/evaluate-feed.ts: matchers': 'the views of one account',
  'shared/core/alerts/evaluate-feed.ts: records': 'pageSize, and the changes before',
  'shared/core/events-in/resolve-targets.ts: lookups': 'the rows of one batch',
  'shared/core/events-in/resolve-targets.ts: placesOf': 'the rows of one batch',
  'shared/core/feed/feed-hub.ts: channels': 'accounts with open streams',
  'shared/core/feed/feed-hub.ts: failed': 'accounts with open streams',
  'shared/core/feed/feed-hub.ts: turns': 'accounts with open streams',
  'shared/core/feed/feed-stream.ts: frames': 'one page',
  'shared/core/free-time/free-time-rules.ts: known': 'live and test',
  'shared/core/keys/authenticate-key.ts: cache': 'maxCachedKeys',
  'shared/core/registration/create-shipments.ts: composed': 'one batch',
  'shared/core/registration/register-rows.ts: shared': 'one batch',
  'shared/core/registration/registration-batcher.ts: enqueuing': 'calls that are running',
  'shared/domain/carriers/carrier-catalogue.ts: carrierByShortName': 'the known carriers',
  'shared/domain/events/port-areas.ts: areaOfCode': 'the ports of the table',
  'shared/domain/events/port-areas.ts: areaOfName': 'the ports of the table',
  'shared/domain/events/port-areas.ts: codesOfArea': 'the ports of the table',
  'shared/domain/free-time/container-clocks.ts: starts': 'one container',
  'shared/domain/instant-of.ts: formatters': 'maxFormatters',
  'shared/domain/instant-of.ts: offsets': 'maxOffsets',
  'shared/domain/installation/waterfall.ts: seen': 'one trace',
  'shared/domain/lists/search-text.ts: parts': 'one shipment',
  'shared/domain/journey/journey-legs.ts: arrivingLeg': 'one journey',
  'shared/domain/journey/journey-legs.ts: departingLeg': 'one journey',
  'shared/domain/refresh/revisions.ts: read': 'one reading',
  'shared/limits/block-limiter.ts: windows': 'maxWindows',
  'shared/limits/token-buckets.ts: buckets': 'maxBuckets',
  'shared/net/guarded-pools.ts: closing': 'pools that are closing',
  'shared/net/guarded-pools.ts: pools': 'maxOrigins',
  'shared/places/airports.ts: byCode': 'the list of airports',
  'shared/places/airports.ts: byUnlocode': 'the list of airports',
  'shared/places/country-codes.ts: twoLetters': 'the countries',
  'shared/places/zones/country-zones.ts: canonicalNames': 'maxNames',
  'shared/places/zones/country-zones.ts: zonesByCountry': 'two-letter codes',
  'shared/places/find-place.ts: splits': 'maxSplits',
  'shared/places/place-zone.ts: addresses': 'maxAddresses',
  'shared/places/zones/city-zones.ts: apartZones': 'the cities of the table',
  'shared/places/zones/city-zones.ts: byCountry': 'the cities of the table',
  'shared/places/zones/city-zones.ts: byState': 'the cities of the table',
  'shared/places/zones/region-zones.ts: countriesByName': 'the regions of the table',
  'shared/places/zones/region-zones.ts: regionsByKey': 'the regions of the table',
  'shared/places/zones/settle-zones.ts: known': 'the places of one response',
  'shared/places/zones/postal-zones.ts: ranges': 'the countries of the table',
  'shared/places/find-place.ts: found': 'the list of places: a code that is not in it is not kept',
  'shared/places/named-places.ts: index': 'the list of places',
  'shared/places/place-names.ts: groupsByName': 'the list of names',
  'shared/places/states.ts: countries': 'the list of states',
  'shared/queue/absences.ts: missingSince': 'the processes that have jobs of one queue',
  'shared/queue/producer.ts: buckets': 'the connectors',
  'shared/queue/producer.ts: openQueues': 'the connectors',
  'shared/queue/sharing-backend.ts: held': 'the jobs that a worker runs at the same time',
  'shared/route-map/map-spots.ts: ways': 'maxWays',
  'shared/route-map/place-clusters.ts: squares': 'the circles of one map',
  'shared/store/feed/feed-rows.ts: unpacked': 'one page',
  'shared/store/packing/pack-text.ts: loaded': 'the dictionaries',
  'shared/telemetry/instrumentations.ts: remembered': 'maxRemembered',
  'shared/telemetry/instruments.ts: counters': 'the catalogue of metrics',
  'shared/telemetry/instruments.ts: histograms': 'the catalogue of metrics',
  'shared/telemetry/repeated-warnings.ts: kinds': 'maxKinds',
  'shared/telemetry/traces/span-counts.ts: dropped': 'the reasons for dropping',
  'shared/telemetry/traces/tail-sampler.ts: kept': 'maxRemembered',
  'shared/telemetry/traces/tail-sampler.ts: traces': 'limits.openTraces',
};

// The dashboard runs in one person's browser, and the simulator in demonstrations.
const files = globSync('{services/api,services/worker,shared}/**/*.ts', { cwd: rootFolder })
  .map((path) => path.split(sep).join('/'))
  .sort();

test('every collection that outlives a call is listed with its bound', () => {
  const found = files.flatMap((path) => lastingCollections(fileText(path)).map((name) => `${path}: ${name}`));
  expect(found.sort()).toEqual(Object.keys(bounds).sort());
});

test('a bound that is named after a constant names a constant of that file', () => {
  for (const [place, bound] of Object.entries(bounds)) {
    const [path = ''] = place.split(': ');
    for (const [name] of bound.matchAll(/\bmax[A-Z]\w+|\w+Ms\b/g)) expect(fileText(path), place).toContain(name);
  }
});

test('recognizes collections of a module and of a function’s result, and no others', () => {
  expect(lastingCollections('const a = new Map(); const b = new Set([1]); export const c = { d: new Map() };')).toEqual(
    ['a', 'd'],
  );
  expect(lastingCollections('function open() { const a = new LRUCache({ max: 1 }); return a; }')).toEqual(['a']);
  expect(lastingCollections('function open() { const a = new Set(); return (b: string) => void a.add(b); }')).toEqual([
    'a',
  ]);
  expect(
    lastingCollections('function count() { const a = new Map(); [1].forEach((b) => a.set(b, b)); return a; }'),
  ).toEqual([]);
});

// biome-ignore lint/suspicious/noExplicitAny: a syntax tree of any language version
type Node = any;
type Scope = { node: Node; isCallback: boolean };

const kinds = new Set(['Map', 'Set', 'LRUCache']);

/**
 * Names of the collections that are created empty in the module's scope, or in a function of which another function
 * uses them later. A callback in the arguments of a call is taken to end with it.
 */
function lastingCollections(code: string): string[] {
  const created: { name: string; isCache: boolean; scopes: Scope[] }[] = [];
  const used: { name: string; scopes: Scope[] }[] = [];
  const visit = (node: Node, parent: Node, scopes: Scope[]): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, parent, scopes);
    if (typeof node?.type !== 'string') return;
    if (node.type === 'NewExpression' && kinds.has(node.callee.name) && startsEmpty(node)) {
      const name = parent?.id?.name ?? parent?.key?.name;
      if (name !== undefined) created.push({ name, isCache: node.callee.name === 'LRUCache', scopes });
    }
    if (node.type === 'Identifier') used.push({ name: node.name, scopes });
    const isFunction = /Function/.test(node.type) && node.type !== 'TSFunctionType';
    const isCallback = parent?.type === 'CallExpression' && parent.arguments.includes(node);
    const inner = isFunction ? [...scopes, { node, isCallback }] : scopes;
    for (const part of Object.values(node)) visit(part, node, inner);
  };
  visit(parseAst(code, { lang: 'ts' }).body, null, []);
  const isLasting = ({ name, isCache, scopes }: (typeof created)[number]): boolean =>
    isCache ||
    scopes.length === 0 ||
    used.some(
      (use) =>
        use.name === name &&
        scopes.every(({ node }, depth) => use.scopes[depth]?.node === node) &&
        use.scopes.slice(scopes.length).some(({ isCallback }) => !isCallback),
    );
  return created.filter(isLasting).map(({ name }) => name);
}

function startsEmpty({ callee, arguments: given }: Node): boolean {
  return callee.name === 'LRUCache' || given.length === 0;
}
