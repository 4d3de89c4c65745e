import { type ErrorCode, LandfallError } from '#shared/domain/errors.ts';
import { guessableBecause } from '#shared/domain/members/guessable-password.ts';
import { passwordLength, sessionDays } from '#shared/domain/members/role.ts';
import type { Store } from '#shared/store/open-store.ts';
import { unavailabilityOf } from '#shared/store/store-errors.ts';
import type { Logger } from '#shared/telemetry/logger.ts';
import type { BetterAuth } from './better-auth.ts';
import type { HashOf } from './hash-session-tokens.ts';
import { openTrustedBrowsers, type TrustedBrowsers } from './trusted-browsers.ts';

/** Base path of the better-auth routes. */
export const authPath = '/dashboard/api/auth';

const dayMs = 86_400_000;

/** Carries the client's IP address as Landfall sees it. A header sent by the client is never forwarded. */
export const addressHeader = 'x-landfall-address';

/** The parts of a request that better-auth gets, besides a body. */
export type AuthRequest = { cookie: string; userAgent: string; address: string };

/** The signed-in user. `setCookies` extend the session. */
export type SignedIn = { sessionId: string; user: { id: string; name: string; email: string }; setCookies: string[] };

/** Sign-in by better-auth. Its refusals are thrown as LandfallError. */
export type Auth = {
  /** Null without a session, and for one that has ended. */
  readSession: (request: AuthRequest) => Promise<SignedIn | null>;
  /** Posts to one of its routes; `path` is relative to `authPath`. */
  post: (path: string, request: AuthRequest, body: object) => Promise<{ body: unknown; setCookies: string[] }>;
  /**
   * Refuses a new password that is easy to guess; `words` are those of its user, such as name and email. Throws
   * LandfallError `validation_failed`.
   */
  refuseGuessable: (password: string, words: readonly string[]) => Promise<void>;
  /** Hashes a new password unless `refuseGuessable` refuses it. */
  hashPassword: (password: string, words: readonly string[]) => Promise<string>;
  browserMarks: () => Promise<TrustedBrowsers>;
  /** Loads better-auth, so that the first sign-in does not wait. */
  load: () => Promise<void>;
};

export type AuthOptions = {
  publicBaseUrl: string;
  logger: Logger;
  /** Signs cookies. */
  signingSecret: string;
  hashOf: HashOf;
};

type Made = {
  auth: BetterAuth;
  hashPassword: (password: string) => Promise<string>;
  isLeaked: (text: string) => boolean;
  marks: TrustedBrowsers;
};

/** better-auth is loaded on demand: it takes a third of a second, which would delay the start. */
export function openAuth(store: Store, options: AuthOptions): Auth {
  let made: Promise<Made> | null = null;
  const ready = () => {
    made ??= make(store, options);
    made.catch(() => {
      made = null;
    });
    return made;
  };
  return {
    readSession: (request) => translated(async () => readSession((await ready()).auth, request)),
    post: (path, request, body) =>
      translated(async () => {
        const url = new URL(`${authPath}${path}`, options.publicBaseUrl);
        const headers = headersOf(request);
        headers.set('content-type', 'application/json');
        headers.set('origin', url.origin);
        const answer = await (await ready()).auth.handler(
          new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }),
        );
        const sent: unknown = await answer.json();
        if (!answer.ok)
          throw (
            refusalOf(sent) ?? new Error(`better-auth returned ${answer.status} to ${path}: ${JSON.stringify(sent)}`)
          );
        return { body: sent, setCookies: answer.headers.getSetCookie() };
      }),
    refuseGuessable: async (password, words) => refuseGuessable(password, { ...(await ready()), words }),
    hashPassword: async (password, words) => {
      const { isLeaked, hashPassword } = await ready();
      refuseGuessable(password, { isLeaked, words });
      return hashPassword(password);
    },
    browserMarks: () => translated(async () => (await ready()).marks),
    load: () => translated(async () => void (await ready())),
  };
}

async function make(store: Store, { publicBaseUrl, logger, signingSecret, hashOf }: AuthOptions): Promise<Made> {
  const { makeBetterAuth, hashPassword } = await import('./better-auth.ts');
  const { isLeakedPassword } = await import('./leaked-passwords.ts');
  const auth = await makeBetterAuth({
    pool: store.auth,
    hashOf,
    secret: signingSecret,
    baseUrl: new URL(publicBaseUrl).origin,
    basePath: authPath,
    addressHeader,
    logger,
  });
  return { auth, hashPassword, isLeaked: isLeakedPassword, marks: await openTrustedBrowsers(signingSecret) };
}

const guessable = {
  leaked: 'This password, or one much like it, is in public lists of leaked passwords. Choose another one.',
  known_words: 'This password is too easy to guess from your name or address. Choose another one.',
};

function refuseGuessable(password: string, rules: Parameters<typeof guessableBecause>[1]): void {
  const reason = guessableBecause(password, rules);
  if (reason === null) return;
  const detail = guessable[reason];
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/password', code: 'guessable', detail }],
  });
}

async function readSession(auth: BetterAuth, request: AuthRequest): Promise<SignedIn | null> {
  if (request.cookie === '') return null;
  const { response, headers } = await auth.api.getSession({ headers: headersOf(request), returnHeaders: true });
  if (response === null || Date.now() - response.session.createdAt.getTime() > sessionDays.most * dayMs) return null;
  const { id, name, email } = response.user;
  return { sessionId: response.session.id, user: { id, name, email }, setCookies: headers.getSetCookie() };
}

function headersOf({ cookie, userAgent, address }: AuthRequest): Headers {
  const headers = new Headers({ 'user-agent': userAgent.slice(0, 500), [addressHeader]: address });
  if (cookie !== '') headers.set('cookie', cookie);
  return headers;
}

/** Runs work of better-auth and translates its failures. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LandfallError) throw error;
    const unavailable = unavailabilityOf(error) ?? unavailabilityOf(causeOf(error));
    if (unavailable !== null) throw unavailable;
    throw (isApiError(error) && refusalOf(error.body)) || error;
  }
}

const invalid = (detail: string) => ({ code: 'validation_failed' as const, detail });
const wrong = (detail: string) => ({ code: 'wrong_password' as const, detail });

/** Refusals of better-auth, by its own codes. */
const refusals: Readonly<Record<string, { code: ErrorCode; detail: string }>> = {
  INVALID_EMAIL_OR_PASSWORD: wrong('Incorrect email or password.'),
  INVALID_PASSWORD: wrong('Incorrect current password.'),
  INVALID_EMAIL: wrong('Incorrect email or password.'),
  UNAUTHORIZED: { code: 'not_signed_in', detail: 'Authentication required. Sign in first.' },
  PASSWORD_TOO_SHORT: invalid(`The password must have at least ${passwordLength.least} characters.`),
  PASSWORD_TOO_LONG: invalid(`The password must have at most ${passwordLength.most} characters.`),
  VALIDATION_ERROR: invalid('Invalid request body.'),
};

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function isApiError(error: unknown): error is Error & { body: unknown } {
  return error instanceof Error && 'body' in error;
}

function refusalOf(body: unknown): LandfallError | null {
  const { code } = Object(body);
  const refused = typeof code === 'string' ? refusals[code] : undefined;
  return refused === undefined ? null : new LandfallError(refused.code, refused.detail);
}
