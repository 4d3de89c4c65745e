import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { credentialKeys, type Env, EnvironmentError, readEnv, requireOperationsToken } from '#shared/config/env.ts';
import { type Finding, fail, fine, warn } from './finding.ts';

const neededNode = 24;

export function checkNode(version: string): Finding {
  const major = Number(version.replace(/^v/, '').split('.')[0]);
  if (major >= neededNode) return fine('Node', version);
  return fail(
    'Node',
    `${version} is too old`,
    `Start it with npm, which includes Node ${neededNode}, or install Node ${neededNode}.`,
  );
}

/** The environment, or null if it is invalid. Each problem states how to fix it. */
export function checkConfiguration(source: Record<string, string | undefined>): {
  env: Env | null;
  findings: Finding[];
} {
  try {
    const env = readEnv(source);
    return { env, findings: [fine('configuration', describe(env)), ...checkOperationsToken(env)] };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return {
      env: null,
      findings: error.problems.map((problem) =>
        fail('configuration', problem, 'docs/reference/configuration.md lists every variable.'),
      ),
    };
  }
}

/** Keys that encrypt stored secrets. `dataFolder` null: the database is external, so no key file is created. */
export function checkCredentialKeys(env: Env, dataFolder: string | null): Finding {
  const check = 'credential keys';
  const made = dataFolder === null ? null : join(dataFolder, 'credential-keys');
  const path =
    env.CREDENTIAL_KEYS_FILE ?? (env.CREDENTIAL_KEYS.length === 0 && made !== null && exists(made) ? made : null);
  if (path === null && env.CREDENTIAL_KEYS.length === 0) {
    if (made !== null) return fine(check, 'none yet: npm start creates them');
    return warn(
      check,
      "none: accounts can't store carrier credentials",
      'Set CREDENTIAL_KEYS to v1:$(openssl rand -base64 32), the same for the API and all workers, and back it up separately from the database.',
    );
  }
  try {
    const keys = credentialKeys({ ...env, CREDENTIAL_KEYS_FILE: path }, (file) => readFileSync(file, 'utf8'));
    const names = keys.map(({ version }) => version).join(', ');
    if (path !== null && isOpenToOthers(path))
      return warn(check, `${path} is readable by other users`, `chmod 600 ${path}`);
    return fine(check, path === null ? `${names}, from CREDENTIAL_KEYS` : `${names}, from ${path}`);
  } catch (error) {
    const [problem = ''] = error instanceof EnvironmentError ? error.problems : [String(error)];
    return fail(
      check,
      problem,
      "Restore the keys from your backup. Without them, the stored secrets can't be decrypted.",
    );
  }
}

function describe(env: Env): string {
  const database = env.DATABASE_URL === null ? 'embedded PostgreSQL' : 'PostgreSQL at DATABASE_URL';
  return `${database}, queue in ${env.REDIS_URL === null ? 'PostgreSQL' : 'Redis'}`;
}

function checkOperationsToken(env: Env): Finding[] {
  try {
    requireOperationsToken(env);
    return [];
  } catch (error) {
    const problems = error instanceof EnvironmentError ? error.problems : [String(error)];
    return problems.map((problem) => fail('operations pages', problem, "The API doesn't start with this setting."));
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Windows has no such file modes. */
function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}
