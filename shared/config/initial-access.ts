import { apiKeyProblem, type Env, EnvironmentError, passwordProblem } from './env.ts';

/** Who an installation begins with, without anybody opening the claim link. */
export type InitialAccess = {
  account: string;
  admin: { email: string; password: string } | null;
  apiKey: string | null;
};

/** What `INIT_…` says; null: nothing is set. Throws `EnvironmentError` when a part is missing, set twice, or a file cannot be read. */
export function initialAccess(env: Env, readFile: (path: string) => string): InitialAccess | null {
  const password = eitherOf(env, 'INIT_ADMIN_PASSWORD', readFile);
  const apiKey = eitherOf(env, 'INIT_API_KEY', readFile);
  const email = env.INIT_ADMIN_EMAIL;
  if ((email === null) !== (password === null)) {
    throw new EnvironmentError([
      'INIT_ADMIN_EMAIL and INIT_ADMIN_PASSWORD (or INIT_ADMIN_PASSWORD_FILE) belong together. Set both, or neither.',
    ]);
  }
  if (env.INIT_ACCOUNT === null && email === null && apiKey === null) return null;
  return {
    account: env.INIT_ACCOUNT ?? 'default',
    admin: email === null || password === null ? null : { email, password },
    apiKey,
  };
}

function eitherOf(
  env: Env,
  name: 'INIT_ADMIN_PASSWORD' | 'INIT_API_KEY',
  readFile: (path: string) => string,
): string | null {
  const path = env[`${name}_FILE`];
  if (path === null) return env[name];
  if (env[name] !== null) throw new EnvironmentError([`${name} and ${name}_FILE are both set. Set one of them.`]);
  const text = readOrNothing(path, readFile).trim();
  const problem = (name === 'INIT_API_KEY' ? apiKeyProblem : passwordProblem)(text);
  if (problem !== null)
    throw new EnvironmentError([`${name}_FILE=${path} cannot be read, or what it holds ${problem}.`]);
  return text;
}

function readOrNothing(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch {
    return '';
  }
}
