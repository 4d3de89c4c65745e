import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connectors } from '#services/worker/carriers/registry.ts';
import { settingsFor } from '#services/worker/carriers/settings-for.ts';
import { carrierEnv } from '#shared/config/carrier-variables.ts';
import type { Env } from '#shared/config/env.ts';
import { connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type Finding, fail, fine, reasonOf } from './finding.ts';

const timeoutMs = 5000;
const otlpPorts = { grpc: '4317', http: '4318' };

/**
 * Checks the carriers with credentials in the environment. With `reach`, connects to their hosts without sending a
 * request.
 */
export async function checkCarriers(env: Env, { reach }: { reach: boolean }): Promise<Finding[]> {
  const configured = connectorCodes.flatMap((connector) => {
    const settings = settingsFor(connectors[connector], carrierEnv(env, connector), null);
    return settings === null
      ? []
      : [{ connector, addresses: [settings.baseUrl, settings.authUrl].filter((url) => url !== null) }];
  });
  if (configured.length === 0) {
    const simulated = env.SIMULATOR === 'on' || (env.SIMULATOR === 'auto' && env.DATABASE_URL === null);
    if (simulated) return [fine('carriers', 'none configured: all are simulated')];
    return [fine('carriers', 'none in the environment; accounts may have their own credentials')];
  }
  const named = fine(
    'carriers',
    `${configured.length} configured: ${configured.map(({ connector }) => connector).join(', ')}`,
  );
  if (!reach) return [named];
  const reached = configured.flatMap(({ connector, addresses }) =>
    [...new Set(addresses.map((url) => new URL(url).origin))].map((origin) =>
      checkHost(`carrier ${connector}`, origin),
    ),
  );
  return [named, ...(await Promise.all(reached))];
}

/** The OTLP endpoints for spans and metrics, from the standard variables. */
export async function checkOtlp(source: Record<string, string | undefined>): Promise<Finding[]> {
  const given = [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  ];
  const endpoints = new Set(given.map((name) => source[name]?.trim() ?? '').filter(Boolean));
  if (endpoints.size === 0) return [fine('OTLP', 'no endpoint is set')];
  return Promise.all(
    [...endpoints].map(async (endpoint) => {
      const url = URL.canParse(endpoint) ? endpoint : `http://${endpoint}`;
      const finding = await checkHost(
        'OTLP',
        url,
        source.OTEL_EXPORTER_OTLP_PROTOCOL?.trim() === 'grpc' ? otlpPorts.grpc : otlpPorts.http,
      );
      // An unreachable endpoint only loses telemetry.
      return finding.level === 'failure' ? { ...finding, level: 'warning' as const } : finding;
    }),
  );
}

async function checkHost(check: string, address: string, defaultPort?: string): Promise<Finding> {
  const url = new URL(address);
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (defaultPort !== undefined && !secure ? defaultPort : secure ? '443' : '80'));
  try {
    await reach({ host, port, secure });
    return fine(check, `${host}:${port} is reachable${secure ? ', and its certificate is valid' : ''}`);
  } catch (error) {
    const advice = /certificate|self.signed|CERT_/i.test(reasonOf(error))
      ? 'The certificate is not trusted. Set NODE_EXTRA_CA_CERTS to the CA that signed it.'
      : 'Check the address, and that this machine can reach it (DNS, firewall, proxy).';
    return fail(check, `${host}:${port} is unreachable: ${reasonOf(error)}`, advice);
  }
}

/** Opens and closes a connection. With TLS, verifies the certificate. */
async function reach({ host, port, secure }: { host: string; port: number; secure: boolean }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = secure
    ? connectTls({ host, port, servername: host, ALPNProtocols: ['http/1.1'] }, resolve)
    : connectPlain({ host, port }, resolve);
  socket.once('error', reject);
  socket.setTimeout(timeoutMs, () => reject(new Error(`no response within ${timeoutMs / 1000} s`)));
  try {
    await promise;
  } finally {
    socket.destroy();
  }
}
