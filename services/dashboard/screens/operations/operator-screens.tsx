import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../api/call.ts';
import { usePageTitle } from '../../parts/page-head.tsx';
import { EmptyState } from '../../parts/page-states.tsx';
import { useSession } from '../session/use-session.ts';
import { Operations } from './operations-page.tsx';
import { type OperationsSource, OperationsSourceContext } from './operations-source.ts';
import { Trace } from './trace-page.tsx';
import { Traces } from './traces-page.tsx';

const source: OperationsSource = {
  getOperations: () => call('getOperations'),
  getHistory: () => call('getOperationsHistory'),
  findTraces: (query) => call('findTraces', { query }),
  getTrace: (traceId) => call('getTrace', { params: { trace_id: traceId } }),
};

export function OperationsPage() {
  return (
    <ForOperators>
      <Operations />
    </ForOperators>
  );
}

export function TracesPage() {
  return (
    <ForOperators>
      <Traces />
    </ForOperators>
  );
}

export function TracePage() {
  return (
    <ForOperators>
      <Trace />
    </ForOperators>
  );
}

/** The screens cover all accounts. A user who is not an operator gets links to their own data instead. */
function ForOperators({ children }: { children: ReactNode }) {
  const { user } = useSession();
  return user.is_operator ? (
    <OperationsSourceContext value={source}>{children}</OperationsSourceContext>
  ) : (
    <OperatorsOnly />
  );
}

function OperatorsOnly() {
  usePageTitle('Operations');
  return (
    <EmptyState
      level={1}
      title="Operators only"
      action={
        <span className="flex flex-wrap gap-x-6 gap-y-2">
          <Link to="/carriers" className="text-accent underline-offset-2 hover:underline">
            Carrier health
          </Link>
          <Link to="/failures" className="text-accent underline-offset-2 hover:underline">
            Your failures
          </Link>
        </span>
      }
    >
      Operations shows the workers, queues and traces of all accounts. Only operators of this installation can see it.
    </EmptyState>
  );
}
