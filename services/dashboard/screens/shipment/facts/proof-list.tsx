import { useMutation } from '@tanstack/react-query';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';
import { readProof } from '../../../api/read-proof.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { wordOf } from '../../../parts/words/code-words.ts';

type Proof = WireShipment['delivery']['proof'][number];

/** The proofs of delivery that the carrier offers. Each is fetched on request, because it costs a carrier call. */
export function ProofList({ shipment }: { shipment: WireShipment }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {shipment.delivery.proof.map((proof) => (
        <li key={proof.id}>
          <OneProof proof={proof} shipment={shipment} />
        </li>
      ))}
    </ul>
  );
}

function OneProof({ proof, shipment }: { proof: Proof; shipment: WireShipment }) {
  const { id, kind, piece, available } = proof;
  const name = `${wordOf(kind)}${piece === null ? '' : ` of ${groupIdentifier('tracking_number', piece)}`}`;
  const fetched = useMutation({ mutationFn: () => readProof(shipment.shipment_id, id) });
  if (!available || shipment.as_of !== null) {
    const why = available ? 'not shown for past states' : `not available from ${shipment.carrier_name}`;
    return (
      <>
        {name}
        <span className="text-t3">, {why}</span>
      </>
    );
  }
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2.5">
        {name}
        {fetched.data === undefined ? (
          <Button busy={fetched.isPending} aria-label={`Show ${name}`} onClick={() => fetched.mutate()}>
            {fetched.isPending ? 'Fetching…' : 'Show'}
          </Button>
        ) : (
          <a href={fetched.data.url} download={fetched.data.fileName} className="text-accent hover:underline">
            Download
          </a>
        )}
      </span>
      {fetched.data?.isImage && (
        <img
          src={fetched.data.url}
          alt={`${name}, proof of delivery`}
          className="mt-1 max-h-48 max-w-full rounded-control border border-line2 bg-[#ffffff] object-contain"
        />
      )}
      {fetched.isError && <ProblemNote error={fetched.error} className="mt-1" />}
    </>
  );
}
