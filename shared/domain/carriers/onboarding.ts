import type { Carrier } from './carrier-catalogue.ts';
import { credentialFormOf, fieldsOf } from './credential-fields.ts';
import type { CredentialField } from './known-connectors.ts';
import { type KnownOnboarding, onboardingFacts, onboardingOfConnector } from './onboarding-facts.ts';

/** A credential field and its name in the carrier's portal or documentation. Null: unknown. */
export type OnboardingField = { field: CredentialField; name: string | null };

/** Steps to get credentials from a carrier, as far as they are publicly documented. Null: unknown. */
export type Onboarding = {
  /** Address of the registration. */
  portalUrl: string | null;
  /** Product to apply for, by the carrier's name. */
  product: string | null;
  whoMayApply: string | null;
  /** Working days from the application to the credentials. */
  typicalDays: number | null;
  /** Every field that the connector takes; without a connector, the known ones. */
  fields: readonly OnboardingField[];
  docsUrl: string | null;
  /** The day on which all sources were last read, `YYYY-MM-DD`. Null: nothing is known, or not all of them were read. */
  checkedOn: string | null;
  /** The pages that these facts come from. */
  sources: readonly string[];
};

const nothingKnown: KnownOnboarding = {
  portalUrl: null,
  product: null,
  whoMayApply: null,
  typicalDays: null,
  names: {},
  docsUrl: null,
  checkedOn: null,
  sources: [],
};

/** Returns the facts on the carrier itself, else on all carriers of its connector. */
export function onboardingOf({ code, connector }: Pick<Carrier, 'code' | 'connector'>): Onboarding {
  const ofConnector = connector === null ? undefined : onboardingOfConnector[connector];
  const { names, ...known } = { ...nothingKnown, ...(onboardingFacts[code] ?? ofConnector) };
  const named = Object.keys(names) as CredentialField[];
  const fields = connector === null ? named : fieldsOf(credentialFormOf(connector));
  return { ...known, fields: fields.map((field) => ({ field, name: names[field] ?? null })) };
}
