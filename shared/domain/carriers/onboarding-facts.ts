import type { ConnectorCode, CredentialField } from './known-connectors.ts';

/** Facts about one carrier's portal. `names`: what the carrier calls the fields of its credentials. */
export type KnownOnboarding = {
  portalUrl: string | null;
  product: string | null;
  whoMayApply: string | null;
  typicalDays: number | null;
  names: Readonly<Partial<Record<CredentialField, string>>>;
  docsUrl: string | null;
  checkedOn: string | null;
  sources: readonly string[];
};

type Facts = Partial<Omit<KnownOnboarding, 'sources'>> & { sources: readonly [string, ...string[]] };

/** The day on which the sources below were last read, as published or in a public archive. */
const checkedOn = '2026-11-23';
/** For facts with a source that was not read again on that day. */
const unchecked = { checkedOn: null };

function facts(known: Facts): KnownOnboarding {
  return {
    portalUrl: null,
    product: null,
    whoMayApply: null,
    typicalDays: null,
    names: {},
    docsUrl: null,
    checkedOn,
    ...known,
  };
}

/**
 * Facts on all carriers of a connector. Only what a source states is written here; everything else is left out and is
 * null. Change a fact together with its source, and `checkedOn` only after each of its sources has been read again.
 */
export const onboardingOfConnector: Readonly<Partial<Record<ConnectorCode, KnownOnboarding>>> = {
  maersk: facts({
    portalUrl: 'https://developer.maersk.com',
    product: 'Track and Trace Plus',
    whoMayApply: 'Registered users of the portal. The API returns only shipments that you are a party to.',
    names: { client_id: 'Consumer Key', client_secret: 'Client Secret', api_key: 'Consumer Key' },
    docsUrl: 'https://developer.maersk.com/support/authorisation',
    sources: [
      'https://developer.maersk.com/support/authorisation',
      'https://mcp.waymark.network/r/12cc256c-df76-4a83-85fa-8f583edb4d9e',
    ],
  }),
  'hapag-lloyd': facts({
    portalUrl: 'https://api-portal.hlag.com',
    product: 'DCSA Track & Trace, in the plan Tryout, Default or Premium',
    whoMayApply: 'Companies that register. Hapag-Lloyd verifies each account before it may create an application.',
    names: { client_id: 'ClientID', client_secret: 'Client Secret' },
    docsUrl: 'https://doc.api-portal.hlag.com/01.basic-knowledge/getting-started.html',
    sources: [
      'https://doc.api-portal.hlag.com/01.basic-knowledge/getting-started.html',
      'https://github.com/samjhecht/steamship-integrations/tree/main/docs/carriers/hapag-lloyd',
    ],
  }),
  'cma-cgm': facts({
    ...unchecked,
    portalUrl: 'https://api-portal.cma-cgm.com',
    product: 'Track and Trace: public with an API key, or private with OAuth 2.0. Calls are billed after the trial.',
    names: { api_key: 'keyId' },
    docsUrl: 'https://github.com/buyco/go-cma-sdk',
    sources: [
      'https://github.com/buyco/go-cma-sdk',
      'https://blogs.tradlinx.com/how-cma-cgm-container-tracking-actually-works-what-the-portal-shows-what-it-doesnt-and-what-the-events-mean/',
    ],
  }),
  msc: facts({
    ...unchecked,
    portalUrl: 'https://developerportal.msc.com',
    product: 'Track & Trace API v2.2',
    whoMayApply: 'Companies in the Direct Integration program, after its request form. MSC may charge a fee.',
    names: { api_key: 'Ocp-Apim-Subscription-Key' },
    docsUrl: 'https://github.com/buyco/go-msc-sdk',
    sources: [
      'https://github.com/buyco/go-msc-sdk',
      'https://raw.githubusercontent.com/api-evangelist/msc-cargo/refs/heads/main/apis.yml',
      'https://expedion.ai/carriers/msc/tracking/',
      'https://github.com/samjhecht/steamship-integrations/tree/main/docs/carriers/msc',
    ],
  }),
  one: facts({
    ...unchecked,
    portalUrl: 'https://developers.one-line.com/get-started',
    names: { api_key: 'apikey' },
    docsUrl: 'https://developers.one-line.com/api-auth',
    sources: [
      'https://github.com/buyco/go-one-sdk',
      'https://github.com/samjhecht/steamship-integrations/tree/main/docs/carriers/one',
    ],
  }),
  'yang-ming': facts({
    ...unchecked,
    portalUrl: 'https://www.yangming.com/en/esolution/digital_solution/api_introduction',
    product: 'DCSA Track & Trace v2.2',
    whoMayApply: 'Companies that use "Apply API" on that page. Yang Ming contacts them.',
    names: { api_key: 'KeyId' },
    docsUrl: 'https://github.com/buyco/go-yangming-sdk',
    sources: [
      'https://github.com/buyco/go-yangming-sdk',
      'https://github.com/samjhecht/steamship-integrations/tree/main/docs/carriers/yang-ming',
    ],
  }),
  zim: facts({
    ...unchecked,
    portalUrl: 'https://api.zim.com',
    product: 'DCSA Track And Trace - v2',
    whoMayApply: 'Organizations that ZIM approves after they have registered.',
    names: { api_key: 'Ocp-Apim-Subscription-Key' },
    sources: ['https://github.com/samjhecht/steamship-integrations/tree/main/docs/carriers/zim'],
  }),
  evergreen: facts({
    portalUrl: 'https://www.shipmentlink.com/_ec/APIPORTAL_Home',
    product: 'Track & Trace',
    whoMayApply: 'Companies whose application form Evergreen has verified. The form names the IP addresses that call.',
    names: { client_id: 'Client ID', client_secret: 'secret' },
    docsUrl: 'https://www.shipmentlink.com/_ec/APIPORTAL_SpecTrackAndTrace',
    sources: [
      'https://www.shipmentlink.com/_ec/APIPORTAL_Home',
      'https://github.com/samjhecht/steamship-integrations/tree/main/docs/carriers/evergreen',
    ],
  }),
  hmm: facts({
    portalUrl: 'https://apiportal.hmm21.com',
    product: 'Track and Trace (DCSA)',
    whoMayApply: 'Registered users whom HMM has approved. They apply for each API.',
    names: { api_key: 'x-Gateway-APIKey' },
    docsUrl: 'https://apiportal.hmm21.com/api',
    sources: ['https://github.com/samjhecht/steamship-integrations/tree/main/docs/carriers/hmm'],
  }),
  'lufthansa-cargo': facts({
    portalUrl: 'https://developer.lufthansa-cargo.com',
    product: 'Shipment Tracking',
    whoMayApply: 'Registered users of the portal. The API returns what the public tracking page shows.',
    names: { api_key: 'APIKEY' },
    docsUrl: 'https://developer.lufthansa-cargo.com/docs/read/apis/shipmenttracking',
    sources: ['https://developer.lufthansa-cargo.com/docs/read/apis/shipmenttracking'],
  }),
  'one-record': facts({
    ...unchecked,
    product: 'IATA ONE Record',
    docsUrl: 'https://iata-cargo.github.io/ONE-Record/',
    sources: ['https://iata-cargo.github.io/ONE-Record/'],
  }),
  'nmfta-dsdc': facts({
    ...unchecked,
    product: 'NMFTA DSDC In-Transit Visibility. No carrier is known to serve it yet.',
    docsUrl: 'https://github.com/dsdcapis/full-truckload',
    sources: ['https://github.com/dsdcapis/full-truckload'],
  }),
  ups: facts({
    portalUrl: 'https://developer.ups.com',
    product: 'Tracking',
    whoMayApply: 'Users of UPS.com with a shipper account.',
    names: { client_id: 'Client ID', client_secret: 'Client Secret' },
    docsUrl: 'https://github.com/UPS-API/api-documentation',
    sources: [
      'https://github.com/UPS-API/api-documentation',
      'https://isupport.krengeltech.com/upsti/2.x/register_ups_application',
    ],
  }),
  fedex: facts({
    portalUrl: 'https://developer.fedex.com',
    product: 'Track API',
    whoMayApply: 'Users of fedex.com, in an organization of the developer portal. Signing up is free.',
    names: { client_id: 'API Key', client_secret: 'Secret Key' },
    docsUrl: 'https://developer.fedex.com/api/en-kr/get-started.html',
    sources: [
      'https://developer.fedex.com/api/en-kr/get-started.html',
      'https://developer.fedex.com/api/en-us/catalog/registration/docs.html',
    ],
  }),
  dhl: facts({
    portalUrl: 'https://developer.dhl.com',
    product: 'Shipment Tracking - Unified',
    whoMayApply: 'Registered users of the portal. DHL approves the key, which then allows 250 calls a day.',
    names: { api_key: 'API Key' },
    docsUrl: 'https://developer.dhl.com/api-reference/shipment-tracking',
    sources: [
      'https://developer.dhl.com/api-reference/shipment-tracking',
      'https://support.wesupplylabs.com/hc/en-us/articles/360060159932-How-To-Set-Up-My-DHL-Carrier-Integration',
    ],
  }),
};

/** Facts on one carrier, by its code. They take precedence over its connector's. */
export const onboardingFacts: Readonly<Record<string, KnownOnboarding>> = {
  COSU: facts({
    portalUrl: 'https://github.com/cop-cos/COP',
    product: 'COSCO SHIPPING Lines Open API Platform (COP)',
    whoMayApply: 'Customers, agents and software vendors whose application COSCO has reviewed.',
    typicalDays: 15,
    names: { api_key: 'apiKey', client_secret: 'secretKey' },
    docsUrl: 'https://github.com/cop-cos/COP',
    sources: ['https://github.com/cop-cos/COP'],
  }),
  usps: facts({
    portalUrl: 'https://developer.usps.com',
    product: 'Tracking, version 3',
    whoMayApply: 'Business accounts of USPS. The app must be authorized in the Customer Onboarding Portal.',
    names: { client_id: 'Consumer Key', client_secret: 'Consumer Secret' },
    docsUrl: 'https://developer.usps.com/getting-started',
    sources: ['https://developer.usps.com/getting-started'],
  }),
  gls: facts({
    portalUrl: 'https://dev-portal.gls-group.net/get-started',
    product: 'Track And Trace V1',
    names: { client_id: 'Client ID', client_secret: 'Client Secret' },
    sources: [
      'https://docs.code0.tech/centaurus/Actions/GLS/configs',
      'https://github.com/karrioapi/karrio/tree/main/modules/connectors/gls/vendor',
    ],
  }),
  'canada-post': facts({
    portalUrl: 'https://www.canadapost-postescanada.ca/information/app/drc/home',
    product: 'Developer Program',
    whoMayApply: 'Holders of a Canada Post account. The program is free.',
    typicalDays: 0,
    names: { client_id: 'Username', client_secret: 'Password' },
    docsUrl:
      'https://www.canadapost-postescanada.ca/info/mc/business/productsservices/developers/services/fundamentals.jsf',
    sources: [
      'https://www.canadapost-postescanada.ca/info/mc/business/productsservices/developers/services/fundamentals.jsf',
      'https://btcpost.io/docs/get-canada-post-api-keys',
    ],
  }),
  'la-poste': facts({
    portalUrl: 'https://developer.laposte.fr',
    product: 'Suivi',
    names: { api_key: 'X-Okapi-Key' },
    docsUrl: 'https://developer.laposte.fr/products/suivi/latest',
    sources: [
      'https://www.developpez.net/forums/d1957346/logiciels/microsoft-office/excel/macros-vba-excel/utiliser-l-api-suivi-poste-vba-requete-curl-uri-ect',
      'https://raw.githubusercontent.com/api-evangelist/la-poste/refs/heads/main/rate-limits/suivi-rate-limits.yml',
    ],
  }),
  postnord: facts({
    portalUrl: 'https://developer.postnord.com',
    whoMayApply: 'Customers and partners of PostNord.',
    names: { api_key: 'apikey' },
    docsUrl: 'https://developer.postnord.com/docs/general-information',
    sources: [
      'https://developer.postnord.com/docs/general-information',
      'https://developer.postnord.com/faq/index',
      'https://guide.developer.postnord.com/view/metadata/2s93zE2Keo',
    ],
  }),
  'royal-mail': facts({
    product: 'Tracking API V2 (REST)',
    whoMayApply: 'Business customers of Royal Mail.',
    names: { client_id: 'Client ID', client_secret: 'Secret' },
    sources: [
      'https://vdocument.in/tracking-api-technical-user-guide-royal-mail-application-select-atracking-api.html',
    ],
  }),
};
