import type { ReactNode } from 'react';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { narrowingsOf } from '../shipments/list-search.ts';
import { filterWords, valueWords } from '../shipments/list-words.ts';
import { filterFlags, otherConditions, searchOf } from './editor/endpoint-filter.ts';
import { typesWords } from './webhook-words.ts';

const payloadWords: Record<string, string> = { summary: 'Summary', full: 'Full record', thin: 'Ids only' };

/** The settings of an endpoint. */
export function EndpointFacts({ endpoint }: { endpoint: WireWebhookEndpoint }) {
  return (
    <aside
      aria-label="Settings"
      className="w-[360px] shrink-0 border-line border-l p-5 max-xl:w-auto max-xl:border-t max-xl:border-l-0 max-xl:px-4"
    >
      <div className="mb-3 flex items-start gap-1">
        <code className="min-w-0 flex-1 select-all break-all font-mono text-number">{endpoint.url}</code>
        <span className="-mt-1">
          <CopyButton iconOnly text={endpoint.url} label="Copy URL" />
        </span>
      </div>
      <Facts
        rows={{
          Changes: <span title={endpoint.types.join(', ')}>{typesWords(endpoint.types)}</span>,
          Shipments: <FilterWords endpoint={endpoint} />,
          Payload: payloadWords[endpoint.payload] ?? endpoint.payload,
          Order: endpoint.ordering === 'shipment' ? 'In order per shipment' : 'As fast as possible',
          Rate: endpoint.rate_per_second === null ? 'no limit' : `${endpoint.rate_per_second} requests per second`,
          Timeout: `${endpoint.timeout_seconds} s`,
          Headers: endpoint.header_names.length === 0 ? 'none' : endpoint.header_names.join(', '),
          Mode: endpoint.test ? 'Test shipments' : 'Live shipments',
          Secret: (
            <>
              created <Timestamp at={endpoint.secret_created_at} />
              {endpoint.previous_secret_until !== null && (
                <>
                  ; the previous one also signs until <Timestamp at={endpoint.previous_secret_until} exact />
                </>
              )}
            </>
          ),
          Position: endpoint.position.toLocaleString(numberLocale()),
          Created: <Timestamp at={endpoint.created_at} exact />,
        }}
      />
    </aside>
  );
}

function FilterWords({ endpoint: { filter } }: { endpoint: WireWebhookEndpoint }): ReactNode {
  if (filter === null) return 'all';
  const flags = filterFlags.filter(({ name }) => filter[name] === true).map(({ text }) => text);
  const lists = Object.entries(Object.groupBy(narrowingsOf(searchOf(filter)), ({ name }) => name)).map(
    ([name, values = []]) =>
      `${filterWords[name as keyof typeof filterWords]}: ${values.map((one) => valueWords(one.name, one.value)).join(' or ')}`,
  );
  const others = otherConditions(filter).map(({ text }) => text);
  return [...flags, ...lists, ...others].map((text) => (
    <span key={text} className="block">
      {text}
    </span>
  ));
}
