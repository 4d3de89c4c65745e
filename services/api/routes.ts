import { accountRoutes } from './dashboard/account.ts';
import { alertRoutes } from './dashboard/alerts.ts';
import { appRoutes } from './dashboard/apps.ts';
import { mapRoutes } from './dashboard/map-routes.ts';
import { peopleRoutes } from './dashboard/people.ts';
import { sessionRoutes } from './dashboard/session.ts';
import type { Routes } from './plugins/serve.ts';
import { analyticsRoutes } from './routes/analytics.ts';
import { bulkActionRoutes } from './routes/bulk-actions.ts';
import { carrierRoutes } from './routes/carriers.ts';
import { changeStreamRoutes } from './routes/change-stream.ts';
import { ediRoutes } from './routes/edi.ts';
import { eventsInRoutes } from './routes/events-in.ts';
import { freeTimeRoutes } from './routes/free-time.ts';
import { importRoutes } from './routes/imports.ts';
import { keyRoutes } from './routes/keys.ts';
import { mcpRoute } from './routes/mcp.ts';
import { noteRoutes } from './routes/notes.ts';
import { registrationRoutes } from './routes/registrations.ts';
import { shareRoutes } from './routes/shares.ts';
import { shipmentVerbRoutes } from './routes/shipment-verbs.ts';
import { shipmentRoutes } from './routes/shipments.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** The handler of each operation of the contract. */
export const routes = {
  ...registrationRoutes,
  ...importRoutes,
  ...shipmentRoutes,
  ...shipmentVerbRoutes,
  ...bulkActionRoutes,
  ...ediRoutes,
  ...eventsInRoutes,
  ...changeStreamRoutes,
  ...webhookRoutes,
  ...noteRoutes,
  ...shareRoutes,
  ...keyRoutes,
  ...carrierRoutes,
  ...freeTimeRoutes,
  ...analyticsRoutes,
  mcp: mcpRoute,
  ...sessionRoutes,
  ...peopleRoutes,
  ...accountRoutes,
  ...mapRoutes,
  ...alertRoutes,
  ...appRoutes,
} satisfies Routes;
