import { Link } from '@tanstack/react-router';
import { EmptyState } from './empty-state.tsx';

/** `isInside`: the frame around it has the landmark already. */
export function MissingPage({ isInside = false }: { isInside?: boolean }) {
  const Region = isInside ? 'div' : 'main';
  return (
    <Region>
      <EmptyState
        title="There is nothing at this address"
        level={1}
        action={
          <Link to="/" className="text-accent underline-offset-2 hover:underline">
            All shipments
          </Link>
        }
      >
        The link may be cut off, or belong to another account.
      </EmptyState>
    </Region>
  );
}
