import { currentTraceparent } from '#shared/telemetry/events.ts';
import { type CoreContext, type CoreLog, type CoreSettings, coreDefaults } from './core-context.ts';
import { openTermsCache } from './free-time/terms-cache.ts';
import { openRegistrationBatcher, type RegistrationContext } from './registration/registration-batcher.ts';

/** The options that differ between processes. The others have defaults. */
export type CoreParts = Partial<Omit<CoreContext, 'store' | 'settings'>> &
  Pick<CoreContext, 'store'> & { settings: Partial<CoreSettings> & Pick<CoreSettings, 'publicBaseUrl'> };

const silentLog: CoreLog = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Makes what core needs around an open store. Without a `producer` nothing is put on the queue and the sweep finds all
 * work. Without `secretKeys` no secret can be stored or read. Without a `log` nothing is logged. Without `keepsTrace`
 * no trace is kept.
 */
export function openCore({ settings, ...parts }: CoreParts): RegistrationContext {
  return {
    secretKeys: null,
    producer: null,
    now: () => new Date(),
    traceparent: currentTraceparent,
    keepsTrace: () => false,
    termsCache: openTermsCache(),
    log: silentLog,
    ...parts,
    settings: { ...coreDefaults, ...settings },
    registrations: openRegistrationBatcher(),
  };
}
