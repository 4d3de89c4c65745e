import { join } from 'node:path';
import { type Carrier, carriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import { connectorName } from '#shared/domain/carriers/carrier-label.ts';
import { addressVariables, publishesAddress } from '#shared/domain/carriers/connection.ts';
import { credentialFormOf, describeForm } from '#shared/domain/carriers/credential-fields.ts';
import type { ConnectorCode } from '#shared/domain/carriers/known-connectors.ts';
import { type Onboarding, onboardingOf } from '#shared/domain/carriers/onboarding.ts';
import { projectFolder } from '../data-folder.ts';
import type { GeneratedFile } from './openapi-files.ts';

const intro = `# Get carrier credentials

Where to register at each carrier, what to apply for, and which fields to enter. This page is generated from the
catalogue (\`shared/domain/carriers\`) by \`npm run generate\`. \`GET /v1/carriers\` and the dashboard show the same under
\`onboarding\`.

Every fact comes from the sources below it, which were read on the date beside them. "Not all checked" means that at
least one source of that carrier was not read again for this release: verify its facts in the portal. "Unknown" means
that no public source states it. Some sources are other people's notes on a portal, because several portals can be read
only after signing up. Carriers change their portals. If something is wrong here, open a carrier issue.

1. Register in the carrier's portal and apply for the product.
2. In the dashboard, open Platform configuration, Carrier access, and the carrier. Enter the credentials.
3. Verify them before you save. The result below the form shows how the carrier responded.
4. Save them. Shipments that wait for credentials are refreshed at once.

## Verify

\`POST /v1/carriers/{code}/credentials/verify\` makes one call to the carrier, with the credentials of the request or with
the stored ones, and reports the result. It needs a live key with the scope \`carriers:manage\`. The call asks for a
number that no shipment has. It counts against the call budget, and carriers that bill calls bill it.

| outcome             | result                                                                              | what to do                                   |
| ------------------- | ----------------------------------------------------------------------------------- | -------------------------------------------- |
| \`accepted\`          | the carrier accepts the credentials                                                 | nothing                                      |
| \`refused\`           | the carrier rejects them, or has not granted them the product                       | check them in the portal                     |
| \`wrong_address\`     | the configured address isn't the carrier's API, or none is configured               | the operator sets the variable in the message |
| \`rate_limited\`      | the carrier or the call budget allows no call now                                   | retry after \`retry_after_s\`                  |
| \`unreachable\`       | no response, a server error or a firewall, or calls are paused after such failures  | retry later                                  |
| \`unreadable_answer\` | a response without information on the credentials                                  | check the address, then report it            |
| \`nothing_to_verify\` | you have no credentials at this carrier                                             | enter some                                   |

A worker makes the call, through the same budget, circuit and HTTP client as refreshes; the request waits up to 15
seconds for its answer. A number that the carrier doesn't know can look like a missing API: a 404 counts as
\`wrong_address\` only if it is a web page or the text of a known gateway.
`;

/** The page on getting credentials, from the catalogue. */
export function credentialsDoc(): GeneratedFile {
  const withConnector = carriers.filter(({ connector }) => connector !== null);
  const groups = [...Map.groupBy(withConnector, keyOf).values()];
  const others = carriers.filter((carrier) => carrier.connector === null && onboardingOf(carrier).sources.length > 0);
  const unknown = carriers.filter(
    (carrier) => carrier.connector === null && onboardingOf(carrier).sources.length === 0,
  );
  const parts = [
    intro,
    '## Carriers with a connector\n',
    ...groups.map(section),
    '## Carriers without a connector\n',
    'Landfall has no connector for these carriers yet. Known facts about their access:\n',
    ...others.map((carrier) => section([carrier])),
    `No facts are known yet about: ${unknown.map(({ name }) => name).join(', ')}.\n`,
  ];
  return { path: join(projectFolder, 'docs', 'reference', 'credentials.md'), text: parts.join('\n') };
}

/** Carriers of one connector with the same onboarding share a section. */
function keyOf(carrier: Carrier): string {
  return JSON.stringify([carrier.connector, onboardingOf(carrier)]);
}

const maxNamed = 4;

function section(of: Carrier[]): string {
  const [first] = of;
  if (first === undefined) return '';
  const { connector } = first;
  const names = of.map(({ name, code }) => `${name} (\`${code}\`)`);
  const others = names.length - maxNamed;
  const title = names.length === 1 || connector === null ? first.name : connectorName(connector);
  const shown = others > 0 ? `${names.slice(0, maxNamed).join(', ')} and ${others} others` : names.join(', ');
  const facts = [...factsOf(onboardingOf(first)), ...connectionFacts(connector)];
  return [`### ${title}\n`, ...(names.length === 1 ? [] : [`For ${shown}.\n`]), ...facts, ''].join('\n');
}

function factsOf(onboarding: Onboarding): string[] {
  const { portalUrl, product, whoMayApply, typicalDays, docsUrl, fields, sources, checkedOn } = onboarding;
  const days = typicalDays === null ? 'unknown' : typicalDays === 0 ? 'at once' : `up to ${typicalDays} working days`;
  return [
    `- Portal: ${linkTo(portalUrl)}`,
    `- Apply for: ${product ?? 'unknown'}`,
    `- Who may apply: ${whoMayApply ?? 'unknown'}`,
    `- Until you have them: ${days}`,
    `- Documentation: ${linkTo(docsUrl)}`,
    ...fields.map(
      ({ field, name }) =>
        `- \`${field}\`: ${name === null ? 'name at the carrier unknown' : `"${name}" at the carrier`}`,
    ),
    ...(sources.length === 0 ? [] : [`- Sources, ${readOn(checkedOn)}: ${sources.map(linkTo).join(', ')}`]),
  ];
}

function readOn(checkedOn: string | null): string {
  return checkedOn === null ? 'not all checked' : `read ${checkedOn}`;
}

function connectionFacts(connector: ConnectorCode | null): string[] {
  if (connector === null) return [];
  const { base, auth } = addressVariables(connector);
  const address = `- Address: not published. The operator sets \`${base}\`, and \`${auth}\` for OAuth 2.0.`;
  return [
    `- Landfall accepts: ${describeForm(credentialFormOf(connector))}`,
    ...(publishesAddress(connector) ? [] : [address]),
  ];
}

function linkTo(url: string | null): string {
  return url === null ? 'unknown' : `<${url}>`;
}
