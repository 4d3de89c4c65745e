import { type Env, EnvironmentError, readOrNothing } from './env.ts';
import { apiKeyProblem, passwordProblem } from './variable.ts';

/** The first access to an installation, without the claim link. */
export type InitialAccess = {
  account: string;
  admin: { email: string; password: string } | null;
  apiKey: string | null;
};

/**
 * Reads `INIT_…`. Null: nothing is set. Throws `EnvironmentError` if a part is missing or set twice, or a file can't be
 * read.
 */
export function initialAccess(env: Env, readFile: (path: string) => string): InitialAccess | null {
  const password = eitherOf(env, 'INIT_ADMIN_PASSWORD', readFile);
  const apiKey = eitherOf(env, 'INIT_API_KEY', readFile);
  const email = env.INIT_ADMIN_EMAIL;
  if ((email === null) !== (password === null)) {
    throw new EnvironmentError([
      'INIT_ADMIN_EMAIL and INIT_ADMIN_PASSWORD (or INIT_ADMIN_PASSWORD_FILE) must be set together. Set both or neither.',
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
    throw new EnvironmentError([`${name}_FILE=${path} cannot be read, or its content is invalid: it ${problem}.`]);
  return text;
}
