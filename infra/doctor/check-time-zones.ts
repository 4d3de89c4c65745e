import { offsetAt, runtimeOffsetAt } from '#shared/domain/instant-of.ts';
import { newerZones, zoneRulesRelease } from '#shared/domain/zone-rules.ts';
import { type Finding, fine, warn } from './finding.ts';

const halfYearMs = 182 * 24 * 3_600_000;

/**
 * The release of the time zone rules in use, and the zones whose rules the runtime doesn't know yet.
 */
export function checkTimeZones(runtimeRelease: string, nowMs: number): Finding {
  const check = 'time zones';
  if (runtimeRelease > zoneRulesRelease)
    return warn(
      check,
      `rules ${zoneRulesRelease} of this release are older than ${runtimeRelease} of Node.js`,
      'Update Landfall: it prefers its own rules where they changed in 2026.',
    );
  const differing = newerZones.filter((zone) =>
    [nowMs, nowMs + halfYearMs].some((ms) => offsetAt(zone, ms) !== runtimeOffsetAt(zone, ms)),
  );
  if (differing.length === 0) return fine(check, `rules ${zoneRulesRelease}`);
  return fine(check, `rules ${zoneRulesRelease}; ${runtimeRelease} of Node.js is older for ${differing.join(', ')}`);
}
