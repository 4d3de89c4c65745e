import { settlesWithin } from '#shared/async/deadline.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { measureStall } from '#shared/core/installation/measure-stall.ts';

/** As `measureStall`. Never rejects: an unavailable database fails the reads beside it. */
export type KeptStall = () => Promise<number | null>;

const keptForMs = 10_000;
/** On a machine that is busy enough to stall, a page must not wait for the measurement. */
const waitMs = 1000;

/** Measures once for everyone who opens a page within ten seconds. Later than a second, the last result stands. */
export function keepStall(
  core: Pick<CoreContext, 'store'>,
  { measure = measureStall, nowMs = () => performance.now() } = {},
): KeptStall {
  let stalledS: number | null = null;
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let measuring: Promise<void> | null = null;
  return async () => {
    if (measuring === null && nowMs() - startedAtMs >= keptForMs) {
      startedAtMs = nowMs();
      measuring = measure(core)
        .then(
          (measured) => {
            stalledS = measured;
          },
          () => undefined,
        )
        .finally(() => {
          measuring = null;
        });
    }
    if (measuring !== null) await settlesWithin(measuring, waitMs);
    return stalledS;
  };
}
