import './styles.css';
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { StrictMode, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { ProblemError, problemOf } from './api/problem-error.ts';
import { queryClient } from './api/query-client.ts';
import { Icon } from './parts/icon.tsx';
import { BrokenPage } from './parts/page-states.tsx';
import { setLocale } from './parts/words/locale.ts';
import { Operations } from './screens/operations/operations-page.tsx';
import { type OperationsSource, OperationsSourceContext } from './screens/operations/operations-source.ts';
import { Trace } from './screens/operations/trace-page.tsx';
import { Traces } from './screens/operations/traces-page.tsx';
import { plainSearch } from './shell/plain-search.ts';

/** The port answers each page's own address with its data. */
const source: OperationsSource = {
  getOperations: () => read('/operations'),
  getHistory: () => read('/operations/history'),
  findTraces: (query) => read(`/operations/traces?${new URLSearchParams(query)}`),
  getTrace: (traceId) => read(`/operations/traces/${encodeURIComponent(traceId)}`),
};

const linkClasses = 'text-t2 underline-offset-2 hover:text-t1 hover:underline aria-[current=page]:text-t1';

const root = createRootRoute({ component: Frame, errorComponent: BrokenPage });
const router = createRouter({
  routeTree: root.addChildren([
    screen('/operations', Operations),
    screen('/operations/traces', Traces),
    screen('/operations/traces/$traceId', Trace),
  ]),
  scrollRestoration: true,
  ...plainSearch,
});

setLocale(navigator.languages[0]);

const element = document.getElementById('app');
if (element === null) throw new Error('the page has no #app');

createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <OperationsSourceContext value={source}>
        <RouterProvider router={router} />
      </OperationsSourceContext>
    </QueryClientProvider>
  </StrictMode>,
);

function screen(path: string, component: RouteComponent) {
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: (search: Record<string, unknown>) => search,
    component,
  });
}

async function read<Body>(address: string): Promise<Body> {
  const response = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => {
    const detail = 'The operations port is unreachable. Retrying.';
    throw new ProblemError({ code: 'network', status: 0, detail, requestId: null });
  });
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body: unknown = isJson ? await response.json() : { detail: (await response.text()).trim() };
  if (!response.ok) throw problemOf(response.status, body, response.headers);
  return body as Body;
}

function Frame() {
  return (
    <>
      <a href="#screen" className="sr-only focus:not-sr-only focus:absolute focus:z-40 focus:bg-bg focus:p-2">
        Skip to content
      </a>
      <header className="flex h-12 items-center gap-5 border-line border-b px-4 print:hidden">
        <span className="flex items-center gap-2 font-semibold">
          <Icon name="landfall" size={20} />
          <span className="max-sm:sr-only">Landfall</span>
        </span>
        <nav aria-label="Screens" className="flex gap-4">
          <Link
            to="/operations"
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
            className={linkClasses}
          >
            Operations
          </Link>
          <Link
            to="/operations/traces"
            activeOptions={{ includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
            className={linkClasses}
          >
            Traces
          </Link>
          <a href="/metrics" className={linkClasses}>
            Metrics
          </a>
        </nav>
        <Live />
      </header>
      <main id="screen" tabIndex={-1} className="relative outline-none">
        <Outlet />
      </main>
    </>
  );
}

/** A 404 is data too: the server answered. */
function isDisconnected(error: Error | null): boolean {
  return error !== null && !(error instanceof ProblemError && error.status === 404);
}

/** Shows whether the page still receives data. */
function Live() {
  const cache = useQueryClient().getQueryCache();
  const isLive = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.findAll({ type: 'active' }).every(({ state }) => !isDisconnected(state.fetchFailureReason)),
  );
  return (
    <p role="status" className={`ml-auto flex items-center gap-2 text-label ${isLive ? 'text-t2' : 'text-t1'}`}>
      <span aria-hidden="true" className={`size-1.5 rounded-full ${isLive ? 'bg-green' : 'bg-red'}`} />
      {isLive ? 'Live' : 'Disconnected. Retrying.'}
    </p>
  );
}
