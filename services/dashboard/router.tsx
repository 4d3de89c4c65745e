import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ProblemError } from './api/problem-error.ts';
import { queryClient } from './api/query-client.ts';
import { BrokenPage, MissingPage } from './parts/page-states.tsx';
import { Inside } from './screens/session/inside.tsx';
import { sessionQuery } from './screens/session/use-session.ts';
import { plainSearch } from './shell/plain-search.ts';

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => MissingPage({}),
  errorComponent: BrokenPage,
});

/** Everything that requires a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Inside,
  errorComponent: BrokenPage,
  beforeLoad: requireSession,
});

async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  try {
    await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401)
      throw redirect({ to: '/sign-in', search: { to: location.href } });
    throw error;
  }
}

type SignInSearch = { to?: string };

const routes = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    // Only a path of this origin: the URL is untrusted.
    validateSearch: ({ to }): SignInSearch => (typeof to === 'string' && /^\/(?![/\\])/.test(to) ? { to } : {}),
    component: lazyRouteComponent(() => import('./screens/session/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/claim',
    component: lazyRouteComponent(() => import('./screens/session/claim-page.tsx'), 'ClaimPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invite',
    component: lazyRouteComponent(() => import('./screens/session/invite-page.tsx'), 'InvitePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset',
    component: lazyRouteComponent(() => import('./screens/session/reset-page.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/connect',
    errorComponent: BrokenPage,
    beforeLoad: requireSession,
    component: lazyRouteComponent(() => import('./screens/connect/connect-page.tsx'), 'ConnectPage'),
  }),
  inside.addChildren([
    screen('/', () => import('./screens/shipments/shipments-page.tsx'), 'ShipmentsPage'),
    screen('/shipments/$shipmentId', () => import('./screens/shipment/shipment-page.tsx'), 'ShipmentPage'),
    screen('/add', () => import('./screens/adding/adding-page.tsx'), 'AddingPage'),
    screen('/failures', () => import('./screens/failures/failures-page.tsx'), 'FailuresPage'),
    screen('/map', () => import('./screens/map/map-page.tsx'), 'MapPage'),
    screen('/alerts', () => import('./screens/alerts/alerts-page.tsx'), 'AlertsPage'),
    screen('/alerts/messages/$messageId', () => import('./screens/alerts/message-page.tsx'), 'MessagePage'),
    screen('/analytics', () => import('./screens/analytics/analytics-page.tsx'), 'AnalyticsPage'),
    screen('/carriers', () => import('./screens/carriers/carriers-page.tsx'), 'CarriersPage'),
    screen('/operations', () => import('./screens/operations/operator-screens.tsx'), 'OperationsPage'),
    screen('/operations/traces', () => import('./screens/operations/operator-screens.tsx'), 'TracesPage'),
    screen('/operations/traces/$traceId', () => import('./screens/operations/operator-screens.tsx'), 'TracePage'),
    screen('/developers', () => import('./screens/developers/developers-page.tsx'), 'DevelopersPage'),
    screen('/developers/webhooks', () => import('./screens/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
    screen('/developers/webhooks/new', () => import('./screens/webhooks/editor-page.tsx'), 'NewEndpointPage'),
    screen('/developers/webhooks/$endpointId', () => import('./screens/webhooks/endpoint-page.tsx'), 'EndpointPage'),
    screen(
      '/developers/webhooks/$endpointId/edit',
      () => import('./screens/webhooks/editor-page.tsx'),
      'EditEndpointPage',
    ),
    screen('/configuration', () => import('./screens/configuration/configuration-page.tsx'), 'ConfigurationPage'),
    screen(
      '/configuration/$section',
      () => import('./screens/configuration/configuration-page.tsx'),
      'ConfigurationPage',
    ),
    createRoute({ getParentRoute: () => inside, path: '$', component: () => MissingPage({ isInside: true }) }),
  ]),
]);

function screen<Path extends string, Module extends Record<string, unknown>, Name extends keyof Module & string>(
  path: Path,
  load: () => Promise<Module>,
  name: Name,
) {
  return createRoute({
    getParentRoute: () => inside,
    path,
    // Each screen reads its own parameters and leaves the rest.
    validateSearch: (search: Record<string, unknown>) => search,
    component: lazyRouteComponent(load as never, name as never),
  });
}

export const router = createRouter({
  routeTree: routes,
  defaultPreload: 'intent',
  scrollRestoration: true,
  ...plainSearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
