import { findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import { joinDetails, LandfallError } from '#shared/domain/errors.ts';
import { checkTerms } from '#shared/domain/free-time/check-terms.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { findPlace } from '#shared/places/find-place.ts';

const currencies = new Set(Intl.supportedValuesOf('currency'));
/** Mistakes that one answer names. */
const maxMistakes = 100;

/** Terms with carriers by code. Throws LandfallError `validation_failed`, with the mistakes of all rows. */
export function checkSentTerms(sent: readonly FreeTimeTerm[]): FreeTimeTerm[] {
  const { terms, mistakes } = checkTerms(sent, {
    countryOfPlace: (unlocode) => findPlace(unlocode)?.country ?? null,
    isCountry: (code) => countryCode(code) === code,
    carrierCode: (name) => findCarrierByName(name)?.code ?? null,
    isCurrency: (code) => currencies.has(code),
  });
  if (mistakes.length === 0) return terms;
  const shown = mistakes.slice(0, maxMistakes);
  throw new LandfallError('validation_failed', joinDetails(shown), { mistakes: shown });
}
