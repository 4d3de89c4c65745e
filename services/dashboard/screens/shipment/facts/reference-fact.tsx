import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { Identifier } from '../../../parts/identifier.tsx';
import { momentWords } from '../../../parts/time-words.ts';
import { identifierWords, wordOf } from '../../../parts/words/code-words.ts';
import { statedTexts, statedWords } from '../../../parts/words/stated-words.ts';
import { Fact } from '../fact.tsx';

const layout = { columns: 'grid-cols-[112px_minmax(0,1fr)]', className: 'mt-0.5 gap-y-0.5' };

/** Every identifier of the shipment, and what the account stored with it. */
export function ReferenceFact({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const { identifiers, references, tags, metadata, service_type: service } = shipment;
  const numbers = Object.entries(identifiers).filter((entry): entry is [string, string] => entry[1] !== null);
  return (
    <Fact title="Reference" value={[identifiers, references, tags, metadata]}>
      <Facts
        {...layout}
        rows={{
          ...Object.fromEntries(
            numbers.map(([key, value]) => [
              identifierWords[key as keyof typeof identifierWords] ?? wordOf(key),
              <CopyableNumber key={key} kind={key} value={value} />,
            ]),
          ),
          [references.length > 1 ? 'References' : 'Reference']: references.length > 0 ? references.join(', ') : null,
        }}
      />
      {/* Apart: the names are the account's own, and may be the same as others here. */}
      <Facts {...layout} rows={metadata} />
      <Facts
        {...layout}
        rows={{
          Tags: tags.length > 0 ? tags.join(', ') : null,
          Service: service === null ? null : service.toUpperCase(),
          ...Object.fromEntries(statedTexts.map((name) => [statedWords[name], shipment[name]])),
          Registered: momentWords(shipment.created_at, { now }),
          ID: <span className="select-all break-all font-mono text-number">{shipment.shipment_id}</span>,
        }}
      />
    </Fact>
  );
}

function CopyableNumber({ kind, value }: { kind: string; value: string }) {
  return (
    <span className="group inline-flex h-5 max-w-full items-center gap-1">
      <span className="min-w-0 overflow-x-auto">
        <Identifier kind={kind} value={value} className="text-label" />
      </span>
      <span className="-my-1 opacity-0 focus-within:opacity-100 group-hover:opacity-100 print:hidden">
        <CopyButton iconOnly text={value} label={`Copy ${value}`} />
      </span>
    </span>
  );
}
