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
    `Run it with npm, which brings Node ${neededNode} along, or install Node ${neededNode}.`,
  );
}

/** The environment, or null where it cannot be used; each problem says itself what to do. */
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
        fail('configuration', problem, 'docs/configuration.md has every variable.'),
      ),
    };
  }
}

/** Keys that seal stored secrets. `dataFolder` null: the database is another's, and nothing makes a key file. */
export function checkCredentialKeys(env: Env, dataFolder: string | null): Finding {
  const check = 'credential keys';
  const made = dataFolder === null ? null : join(dataFolder, 'credential-keys');
  const path =
    env.CREDENTIAL_KEYS_FILE ?? (env.CREDENTIAL_KEYS.length === 0 && made !== null && exists(made) ? made : null);
  if (path === null && env.CREDENTIAL_KEYS.length === 0) {
    if (made !== null) return fine(check, 'none yet: npm start makes them');
    return warn(
      check,
      'none: accounts cannot store credentials of carriers',
      'Set CREDENTIAL_KEYS to v1:$(openssl rand -base64 32), the same for the API and all workers, and keep it as you keep the database.',
    );
  }
  try {
    const keys = credentialKeys({ ...env, CREDENTIAL_KEYS_FILE: path }, (file) => readFileSync(file, 'utf8'));
    const names = keys.map(({ version }) => version).join(', ');
    if (path !== null && isOpenToOthers(path))
      return warn(check, `${path} can be read by other users`, `chmod 600 ${path}`);
    return fine(check, path === null ? `${names}, from CREDENTIAL_KEYS` : `${names}, from ${path}`);
  } catch (error) {
    const [problem = ''] = error instanceof EnvironmentError ? error.problems : [String(error)];
    return fail(
      check,
      problem,
      'Put the keys back from where they are kept: without them the stored secrets cannot be read.',
    );
  }
}

function describe(env: Env): string {
  const database = env.DATABASE_URL === null ? 'its own PostgreSQL' : 'PostgreSQL of DATABASE_URL';
  return `${database}, queue in ${env.REDIS_URL === null ? 'PostgreSQL' : 'Redis'}`;
}

function checkOperationsToken(env: Env): Finding[] {
  try {
    requireOperationsToken(env);
    return [];
  } catch (error) {
    const problems = error instanceof EnvironmentError ? error.problems : [String(error)];
    return problems.map((problem) => fail('operations pages', problem, 'The API does not start like this.'));
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Windows has no such modes. */
function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}
