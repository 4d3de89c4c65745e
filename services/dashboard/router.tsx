import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { ProblemError } from './api/problem-error.ts';
import { queryClient } from './api/query-client.ts';
import { lazyScreen } from './parts/lazy-parts.tsx';
import { BrokenPage, MissingPage } from './parts/page-states.tsx';
import { sessionQuery } from './screens/session/use-session.ts';
import { Inside } from './shell/inside.tsx';
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

type SignInSearch = { to?: string; ended?: true };

const routes = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    // Only a path of this origin: the URL is untrusted.
    validateSearch: ({ to, ended }): SignInSearch => ({
      ...(typeof to === 'string' && /^\/(?![/\\])/.test(to) ? { to } : {}),
      ...(ended === true || ended === 'true' ? { ended: true } : {}),
    }),
    component: lazyScreen(async () => (await import('./screens/session/sign-in-page.tsx')).SignInPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/claim',
    component: lazyScreen(async () => (await import('./screens/session/claim-page.tsx')).ClaimPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invite',
    component: lazyScreen(async () => (await import('./screens/session/invite-page.tsx')).InvitePage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset',
    component: lazyScreen(async () => (await import('./screens/session/reset-page.tsx')).ResetPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/connect',
    errorComponent: BrokenPage,
    beforeLoad: requireSession,
    component: lazyScreen(async () => (await import('./screens/connect/connect-page.tsx')).ConnectPage),
  }),
  inside.addChildren([
    screen('/', async () => (await import('./screens/shipments/shipments-page.tsx')).ShipmentsPage),
    screen('/shipments/$shipmentId', async () => (await import('./screens/shipment/shipment-page.tsx')).ShipmentPage),
    screen('/add', async () => (await import('./screens/adding/adding-page.tsx')).AddingPage),
    screen('/failures', async () => (await import('./screens/failures/failures-page.tsx')).FailuresPage),
    screen('/map', async () => (await import('./screens/map/map-page.tsx')).MapPage),
    screen('/calendar', async () => (await import('./screens/calendar/calendar-page.tsx')).CalendarPage),
    screen('/alerts', async () => (await import('./screens/alerts/alerts-page.tsx')).AlertsPage),
    screen('/alerts/messages/$messageId', async () => (await import('./screens/alerts/message-page.tsx')).MessagePage),
    screen('/analytics', async () => (await import('./screens/analytics/analytics-page.tsx')).AnalyticsPage),
    screen('/carriers', async () => (await import('./screens/carriers/carriers-page.tsx')).CarriersPage),
    screen('/operations', async () => (await import('./screens/operations/operator-screens.tsx')).OperationsPage),
    screen('/operations/traces', async () => (await import('./screens/operations/operator-screens.tsx')).TracesPage),
    screen(
      '/operations/traces/$traceId',
      async () => (await import('./screens/operations/operator-screens.tsx')).TracePage,
    ),
    screen('/developers', async () => (await import('./screens/developers/developers-page.tsx')).DevelopersPage),
    screen('/developers/webhooks', async () => (await import('./screens/webhooks/webhooks-page.tsx')).WebhooksPage),
    screen(
      '/developers/webhooks/new',
      async () => (await import('./screens/webhooks/editor/editor-page.tsx')).NewEndpointPage,
    ),
    screen(
      '/developers/webhooks/$endpointId',
      async () => (await import('./screens/webhooks/endpoint-page.tsx')).EndpointPage,
    ),
    screen(
      '/developers/webhooks/$endpointId/edit',
      async () => (await import('./screens/webhooks/editor/editor-page.tsx')).EditEndpointPage,
    ),
    screen(
      '/configuration',
      async () => (await import('./screens/configuration/configuration-page.tsx')).ConfigurationPage,
    ),
    screen(
      '/configuration/$section',
      async () => (await import('./screens/configuration/configuration-page.tsx')).ConfigurationPage,
    ),
    createRoute({ getParentRoute: () => inside, path: '$', component: () => MissingPage({ isInside: true }) }),
  ]),
]);

function screen<Path extends string>(path: Path, load: () => Promise<ComponentType>) {
  return createRoute({
    getParentRoute: () => inside,
    path,
    // Each screen reads its own parameters and leaves the rest.
    validateSearch: (search: Record<string, unknown>) => search,
    component: lazyScreen(load),
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
