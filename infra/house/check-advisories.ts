import { readFileSync } from 'node:fs';
import process from 'node:process';
import { findAdvisories, type LockFile, lockedVersions, type OsvRecord } from './find-advisories.ts';

/**
 * Compares the lock file with the advisories of OSV (https://osv.dev). Where the network is closed, its argument names
 * a file with one advisory of the npm ecosystem a line, in the format of OSV, such as
 * `unzip -p all.zip | jq -c 'del(.details, .references, .database_specific)' > osv-npm.jsonl` makes of
 * https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip. With its texts, the file would be too long to read.
 */
const lockFile = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as LockFile;
const locked = lockedVersions(lockFile);
const [, , path] = process.argv;

const found = path === undefined ? await askOsv() : findAdvisories(locked, readLines(path));
for (const line of found) process.stdout.write(`${line}\n`);
process.stdout.write(`${locked.length} packages, ${found.length} advisories\n`);
process.exitCode = found.length === 0 ? 0 : 1;

function* readLines(file: string): Generator<OsvRecord> {
  for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') yield JSON.parse(line) as OsvRecord;
}

async function askOsv(): Promise<string[]> {
  const queries = locked.map(({ name, version }) => ({ package: { ecosystem: 'npm', name }, version }));
  const response = await fetch('https://api.osv.dev/v1/querybatch', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ queries }),
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new Error(`OSV answered ${response.status}`);
  const { results } = (await response.json()) as { results: { vulns?: { id: string }[] }[] };
  return results.flatMap(({ vulns = [] }, place) =>
    vulns.map(({ id }) => `${locked[place]?.name}@${locked[place]?.version}: ${id}`),
  );
}
