import type { FastifyReply, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import { parseApiKey } from '#shared/domain/keys/api-key.ts';
import { signInNetwork } from '#shared/domain/keys/limits.ts';
import type { ApiContext } from '../context.ts';
import { showStanding } from './rate-limit.ts';

/**
 * Counts an invalid key against the request's IP address and against the key's first characters, each for itself. Only
 * the request that failed is refused for it: a key with 190 random bits can't be guessed, so a valid one is served
 * whatever else comes from its address. Throws LandfallError `rate_limited` if it is one too many.
 */
export async function countFailedKey(
  ctx: ApiContext,
  request: FastifyRequest,
  { presented, reply }: { presented: string; reply: FastifyReply },
): Promise<void> {
  const quota = ctx.settings.failedSignInsPerMinute;
  const address = await ctx.limiter.admit(addressKey(request), quota);
  showStanding(reply, { policy: 'sign-in', windowS: ctx.limiter.windowS, standing: address });
  if (!address.admitted) throw tooMany(`invalid API keys from this IP address`, 'Correct the key and retry', address);
  // Only while the address has tries left, so that it can't fill the store of counts with prefixes.
  const prefix = parseApiKey(presented)?.prefix;
  if (prefix === undefined) return;
  const ofPrefix = await ctx.limiter.admit(`key-prefix:${prefix}`, quota);
  if (ofPrefix.admitted) return;
  showStanding(reply, { policy: 'sign-in', windowS: ctx.limiter.windowS, standing: ofPrefix });
  throw tooMany(`invalid API keys that begin with ${prefix}`, 'Correct the key and retry', ofPrefix);
}

/** Adds the headers of a response to a request without a valid key. */
export function showFailedKeyLimit(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): void {
  const standing = ctx.limiter.standing(addressKey(request), ctx.settings.failedSignInsPerMinute);
  showStanding(reply, { policy: 'sign-in', windowS: ctx.limiter.windowS, standing });
}

/** The origin of a try with a password or a link: the request's address, and the user or the browser. */
export type Trier = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Hash of the email, or the id of the signed-in user. Null: a link, which names no user. */
  user: string | null;
  /** The id of a browser that the user signed in with before. Null: none. */
  browser: string | null;
};

type Counter = { key: string; what: string; failuresOnly: boolean };

/**
 * Runs a try with a password or a link. It is counted before it runs, so that parallel tries can't get through before
 * the first one fails. The address gets its count back unless the try fails, so that any number of people behind one
 * address may sign in, though no more than the limit at the same moment. A browser in which the user signed in before
 * has a count of its own, so other clients cannot lock the user out. Throws LandfallError `rate_limited`.
 */
export async function countTry<Result>(
  ctx: ApiContext,
  trier: Trier,
  run: () => Promise<{ result: Result; failed: boolean }>,
): Promise<Result> {
  const counters = countersOf(trier);
  const taken: Counter[] = [];
  for (const counter of counters) {
    const standing = await ctx.limiter.admit(counter.key, ctx.settings.failedSignInsPerMinute);
    showStanding(trier.reply, { policy: 'sign-in', windowS: ctx.limiter.windowS, standing });
    if (!standing.admitted) {
      giveBack(ctx, taken);
      throw tooMany(counter.what, 'Retry', standing);
    }
    taken.push(counter);
  }
  try {
    const { result, failed } = await run();
    if (!failed) giveBack(ctx, taken);
    return result;
  } catch (error) {
    if (!isFailedTry(error)) giveBack(ctx, taken);
    throw error;
  }
}

/** Of one page, from all addresses together. With more wrong passwords, each address has fewer tries. */
const pagePasswordsPerMinute = 100;
const triesOfCrowdedPage = 3;

/**
 * Counts a try with the password of a shared page before it runs, for the address on this page and for the page, so that
 * parallel tries don't get around the limits. Many wrong passwords from other addresses leave every address some tries:
 * otherwise anyone could keep the page's readers out. Null: one too many. Call `giveBack` unless the try fails.
 */
export async function countPageTry(
  { limiter, settings: { failedSignInsPerMinute: tries } }: ApiContext,
  request: FastifyRequest,
  shareId: string,
): Promise<{ giveBack: () => void } | null> {
  const ofPage = `shared-password:${shareId}`;
  const ofAddress = `${ofPage}:${signInNetwork(request.ip)}`;
  const page = await limiter.admit(ofPage, pagePasswordsPerMinute);
  const address = await limiter.admit(ofAddress, page.admitted ? tries : Math.min(tries, triesOfCrowdedPage));
  const givePageBack = () => {
    if (page.admitted) limiter.giveBack(ofPage);
  };
  if (!address.admitted) {
    givePageBack();
    return null;
  }
  return {
    giveBack: () => {
      limiter.giveBack(ofAddress);
      givePageBack();
    },
  };
}

function countersOf({ request, user, browser }: Trier): Counter[] {
  if (browser !== null)
    return [{ key: `try-browser:${browser}`, what: 'attempts from this browser', failuresOnly: false }];
  const ofUser = { key: `try-user:${user}`, what: 'attempts for this user', failuresOnly: false };
  const ofAddress = {
    key: `try-${addressKey(request)}`,
    what: 'failed attempts from this IP address',
    failuresOnly: true,
  };
  return user === null ? [ofAddress] : [ofUser, ofAddress];
}

function giveBack(ctx: ApiContext, taken: readonly Counter[]): void {
  for (const { key, failuresOnly } of taken) if (failuresOnly) ctx.limiter.giveBack(key);
}

function isFailedTry(error: unknown): boolean {
  return error instanceof LandfallError && (error.code === 'wrong_password' || error.code === 'link_not_valid');
}

function addressKey(request: FastifyRequest): string {
  return `sign-in:${signInNetwork(request.ip)}`;
}

function tooMany(what: string, remedy: string, { quota, resetS }: { quota: number; resetS: number }): LandfallError {
  return new LandfallError('rate_limited', `Too many ${what} (limit ${quota} per minute). ${remedy} in ${resetS} s.`, {
    retryAfterS: resetS,
  });
}
