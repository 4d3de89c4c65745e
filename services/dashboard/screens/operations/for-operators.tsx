import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTitle } from '../../parts/page-head.tsx';
import { EmptyState } from '../../parts/page-states.tsx';
import { useSession } from '../session/use-session.ts';

/** What is below is of the whole installation; whoever does not run it learns where to look instead. */
export function ForOperators({ children }: { children: ReactNode }) {
  const { user } = useSession();
  return user.is_operator ? children : <Refusal />;
}

function Refusal() {
  usePageTitle('Operations');
  return (
    <EmptyState
      level={1}
      title="For those who run this installation"
      action={
        <span className="flex flex-wrap gap-x-6 gap-y-2">
          <Link to="/carriers" className="text-accent underline-offset-2 hover:underline">
            How the carriers answer you
          </Link>
          <Link to="/failures" className="text-accent underline-offset-2 hover:underline">
            What of yours is not followed
          </Link>
        </span>
      }
    >
      Operations shows workers, queues and traces of every account, so it is shown to operators alone.
    </EmptyState>
  );
}
