import { Link } from '@tanstack/react-router';
import { chosen } from '../../api/request.ts';
import { buttonClasses } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAccount } from '../session/use-session.ts';

/** The id leads nowhere: it may be mistyped, of another account, or of the other mode. */
export function NoShipment({ shipmentId }: { shipmentId: string }) {
  const account = useAccount();
  return (
    <>
      <PageHead title="No such shipment" />
      <EmptyState
        title="There is no shipment at this address"
        action={
          <Link to="/" className={buttonClasses('primary')}>
            All shipments
          </Link>
        }
      >
        <p>
          {account.name} has no {chosen.mode} shipment{' '}
          <span className="break-all font-mono text-number text-t1">{shipmentId}</span>. It may belong to another
          account, or be a {chosen.mode === 'live' ? 'test' : 'live'} shipment: both are switched to at the top left.
        </p>
      </EmptyState>
    </>
  );
}
