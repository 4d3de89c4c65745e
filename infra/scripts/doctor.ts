import process from 'node:process';
import { parseArgs } from 'node:util';
import { chooseDataFolder, postgresFolder } from '../data-folder.ts';
import type { Finding } from '../doctor/finding.ts';
import { runChecks } from '../doctor/run-checks.ts';

const usage = `npm run doctor -- [--json] [--reach]

Checks the configuration, this machine, the database, the queue and the workers, and says what to do.
Exits with 1 if something doesn't work.
  --json    prints a list of {level, check, found, advice}
  --reach   also connects to the hosts of the configured carriers, without sending a request`;

const signs = { ok: '✓', warning: '!', failure: '✗' } as const;

try {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, reach: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) process.stdout.write(`${usage}\n`);
  else await examine({ json: values.json ?? false, reach: values.reach ?? false });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
}

async function examine({ json, reach }: { json: boolean; reach: boolean }): Promise<void> {
  const findings = await runChecks({
    source: process.env,
    nodeVersion: process.version,
    zoneRelease: process.versions.tz ?? 'unknown',
    reach,
    dataFolderOf: (env) => chooseDataFolder(env, () => undefined),
    postgresFolderOf: postgresFolder,
  });
  if (json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else for (const finding of findings) process.stdout.write(`${lineOf(finding)}\n`);
  const failures = findings.filter(({ level }) => level === 'failure').length;
  if (!json)
    process.stdout.write(`\n${closingOf(failures, findings.filter(({ level }) => level === 'warning').length)}\n`);
  if (failures > 0) process.exitCode = 1;
}

function lineOf({ level, check, found, advice }: Finding): string {
  const line = `  ${signs[level]} ${check}: ${found}`;
  return advice === null ? line : `${line}\n      ${advice}`;
}

function closingOf(failures: number, warnings: number): string {
  if (failures > 0) return `${count(failures, 'failure')}${warnings > 0 ? ` and ${count(warnings, 'warning')}` : ''}.`;
  return warnings > 0 ? `No failures, ${count(warnings, 'warning')}.` : 'No problems found.';
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
