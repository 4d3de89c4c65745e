import { disableAfterDays } from './endpoint.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Pauses before the second try and each later one, in milliseconds: the schedule of Standard Webhooks and a day more. */
const pausesMs = [
  5 * secondMs,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** Tries of one delivery, with the first one. */
export const maxTries = pausesMs.length + 1;

/** Share by which a pause may be shorter or longer, so that deliveries that failed together don't stay in step. */
const jitter = 0.2;
/** A receiver can ask for a longer pause than this with `Retry-After`, but doesn't get it. */
const maxAskedMs = 24 * hourMs;
/** With failures and no success for this long, the endpoint is disabled. */
export const failingLimitMs = disableAfterDays * 24 * hourMs;

/**
 * Milliseconds until the next try after `tries` failed ones, or null: the delivery is exhausted. `random` is from 0 to
 * 1. `askedMs` is the pause that a 429 or 503 asks for, of which the longer one counts.
 */
export function pauseAfter(tries: number, random: number, askedMs: number | null = null): number | null {
  const pauseMs = pausesMs[tries - 1];
  if (pauseMs === undefined) return null;
  const jittered = pauseMs * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(jittered, Math.min(askedMs ?? 0, maxAskedMs)));
}

/** The pause that `Retry-After` asks for with these statuses, in milliseconds, or null. `nowMs` is for its dates. */
export function askedPause(status: number | null, retryAfter: string | null, nowMs: number): number | null {
  if ((status !== 429 && status !== 503) || retryAfter === null) return null;
  const text = retryAfter.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * secondMs;
  // RFC 9110 dates begin with a weekday. `Date.parse` alone would take a bare number for a year.
  const untilMs = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(untilMs) ? null : Math.max(0, untilMs - nowMs);
}

/** True when an endpoint that has failed for so many seconds must be disabled. Null: its last delivery succeeded. */
export function isFailingTooLong(failingForS: number | null): boolean {
  return failingForS !== null && failingForS * 1000 >= failingLimitMs;
}
