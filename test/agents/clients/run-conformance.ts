import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProgramRun, runProgram } from './run-program.ts';

/** One check of the suite; `id` is `scenario/check`, or one word if both have the same name. */
export type Check = {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
  details?: { statusCode?: number; untestable?: boolean };
};

const suites = { stable: 'conformance-stable', newest: '@modelcontextprotocol/conformance' };

/** Runs the MCP project's own suite against a server and returns every recorded check. */
export async function runConformance(
  suite: keyof typeof suites,
  url: string,
  options: readonly string[],
): Promise<ProgramRun & { checks: Check[] }> {
  const program = fileURLToPath(new URL(`../../../node_modules/${suites[suite]}/dist/index.js`, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'landfall-conformance-'));
  try {
    const run = await runProgram(process.execPath, [
      program,
      'server',
      '--url',
      url,
      '--output-dir',
      folder,
      ...options,
    ]);
    return { ...run, checks: readdirSync(folder).flatMap((name) => readChecks(folder, name)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder is called `server-<scenario>-<time>`. */
function readChecks(folder: string, name: string): Check[] {
  const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
  if (scenario === undefined) throw new Error(`The suite wrote ${name}, which names no scenario.`);
  const checks: Check[] = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'));
  return checks.map((check) => ({ ...check, id: check.id === scenario ? scenario : `${scenario}/${check.id}` }));
}
