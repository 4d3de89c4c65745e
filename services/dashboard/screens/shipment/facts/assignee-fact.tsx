import { useMutation, useQuery } from '@tanstack/react-query';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { call } from '../../../api/call.ts';
import { labelled, peopleQuery } from '../../../api/people-query.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { InlineSelect } from '../../../parts/inputs/select.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { useAccount, useSession } from '../../session/use-session.ts';
import { Fact } from '../fact.tsx';

/** Shows the member that the shipment is assigned to. */
export function AssigneeFact({ shipment }: { shipment: WireShipment }) {
  const { shipment_id: shipmentId, assignee } = shipment;
  const { user } = useSession();
  const canWrite = useAccount().role !== 'viewer' && shipment.as_of === null;
  const { data: people = [] } = useQuery(peopleQuery);
  const assign = useMutation({
    mutationFn: (memberId: string | null) =>
      call('updateShipment', { params: { shipment_id: shipmentId }, body: { assignee: memberId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['shipment', shipmentId] }),
  });
  const known = people.some(({ member_id: id }) => id === assignee?.member_id) || assignee === null;
  return (
    <Fact title="Assignee" value={assignee}>
      {canWrite ? (
        <div className="flex items-center gap-2">
          <InlineSelect
            label="Assignee"
            value={assign.isPending ? (assign.variables ?? '') : (assignee?.member_id ?? '')}
            disabled={assign.isPending}
            onChange={(event) => assign.mutate(event.target.value || null)}
            className="max-w-64 flex-1"
          >
            <option value="">Nobody</option>
            {!known && <option value={assignee.member_id}>{assignee.name}</option>}
            {labelled(people).map(({ memberId, label }) => (
              <option key={memberId} value={memberId}>
                {memberId === user.id ? `${label} (you)` : label}
              </option>
            ))}
          </InlineSelect>
          {assignee?.member_id !== user.id && (
            <Button kind="quiet" busy={assign.isPending} onClick={() => assign.mutate(user.id)}>
              Assign to me
            </Button>
          )}
        </div>
      ) : (
        <bdi>{assignee?.name ?? 'Nobody'}</bdi>
      )}
      {assign.error !== null && <ProblemNote error={assign.error} className="mt-2" />}
    </Fact>
  );
}
