import fastify from 'fastify';
import { framePage } from './page-frame.ts';

const documentUrl = '/docs/openapi.json';

/** The reader asks nothing of another host: no fonts, no telemetry, no proxy, no assistant. */
export const readerConfiguration = {
  url: documentUrl,
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  documentDownloadType: 'direct',
  metaData: { title: 'Landfall API' },
} as const;

/** The reader of the OpenAPI document; without scripts it still leads to the document and the errors. */
export function readerPage(): string {
  return framePage({
    title: 'Landfall API',
    path: '/docs',
    style: ':root { --scalar-custom-header-height: 48px; }',
    body: `<noscript><p style="padding: 20px">The reader needs scripts; the links above work without.</p></noscript>
    <div id="reader"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/reader.js"></script>`,
  });
}

/** A file of its own, so that the page needs no inline script. */
export function readerStart(): string {
  return `Scalar.createApiReference('#reader', ${JSON.stringify(readerConfiguration)});\n`;
}

/** The reader's script, out of its package, which offers it only as a route. Loaded when somebody refreshes: it has 4 MB. */
export async function loadReaderScript(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(reference, { routePrefix: '/reader', configuration: { url: documentUrl } });
  const { body, statusCode } = await app.inject('/reader/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error('the reader’s package serves no script');
  return body;
}
