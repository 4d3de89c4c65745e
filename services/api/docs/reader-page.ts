import fastify from 'fastify';
import { framePage } from './page-frame.ts';

const documentUrl = '/docs/openapi.json';

/** The API reference loads nothing from other hosts: no fonts, telemetry, proxy or assistant. */
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

/** The API reference. Without scripts it still links to the document and the errors. */
export function readerPage(): string {
  return framePage({
    title: 'Landfall API',
    path: '/docs',
    style: ':root { --scalar-custom-header-height: 48px; }',
    body: `<noscript>
      <p style="padding: 20px">The API reference requires JavaScript. The links above work without it.</p>
    </noscript>
    <div id="reader"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/reader.js"></script>`,
  });
}

/** A separate file, so that the page needs no inline script. */
export function readerStart(): string {
  return `Scalar.createApiReference('#reader', ${JSON.stringify(readerConfiguration)});\n`;
}

/** The script of the API reference. Its package offers it only as a route. Loaded on demand, because it has 4 MB. */
export async function loadReaderScript(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(reference, { routePrefix: '/reader', configuration: { url: documentUrl } });
  const { body, statusCode } = await app.inject('/reader/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error('the API reference package serves no script');
  return body;
}
