import { describeWebhookDrill } from './webhooks-suite.ts';

describeWebhookDrill('Postgres', null);
