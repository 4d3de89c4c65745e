import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Finding } from '../doctor/finding.ts';
import { runChecks } from '../doctor/run-checks.ts';
import { chooseDataFolder, postgresFolder } from './data-folder.ts';

const usage = `npm run doctor -- [--json] [--reach]

Checks the configuration, this machine, the database, the queue and the work, and says what to do. Exits with 1 when something does not work.
  --json    a list of {level, check, found, advice} instead of lines
  --reach   connects to the hosts of the carriers that are configured, too; nothing is asked of them`;

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
  if (failures > 0)
    return `${failures} of these must be mended${warnings > 0 ? `, ${warnings} more should be looked at` : ''}.`;
  return warnings > 0 ? `It works; ${warnings} of these should be looked at.` : 'Everything is as it should be.';
}
