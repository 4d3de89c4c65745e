import { readFileSync } from 'node:fs';
import type { Env } from '#shared/config/env.ts';
import { hostCheck, loopbackHosts } from '#shared/domain/installation/allowed-host.ts';

export type ApiSettings = {
  /** Host names (without port) that the MCP endpoint accepts. Null: any. */
  allowedHosts: readonly string[] | null;
  /** True when the health endpoints serve a `Host` header. */
  servesHealthTo: (host: string | undefined) => boolean;
  /** Browser origins that may call the MCP endpoint, in addition to those of this machine. */
  allowedOrigins: readonly string[];
  hasMail: boolean;
  /** Networks whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[];
  maxConnections: number;
  /** Of one client; behind a trusted proxy, its requests in progress. */
  maxConnectionsPerAddress: number;
  failedSignInsPerMinute: number;
  /** Time limit of an MCP tool call. */
  toolDeadlineMs: number;
  /** Time that a request waits for a worker's answer. Null: the default of the question. Only tests set it. */
  answerWaitMs: number | null;
  /** Origin of PUBLIC_BASE_URL. Null: it is unset, and the Host of a request decides its origin. */
  publicOrigin: string | null;
  /** True if carriers that are not configured are simulated. */
  simulated: boolean;
  /** Landfall's version. */
  version: string;
  /** Folder of the built dashboard, which may be missing. */
  webAppFolder: string;
};

/** Reads the settings that come from the environment alone. */
export function apiSettings(
  env: Env,
): Omit<ApiSettings, 'failedSignInsPerMinute' | 'toolDeadlineMs' | 'answerWaitMs' | 'webAppFolder'> {
  const publicUrl = env.PUBLIC_BASE_URL === null ? null : new URL(env.PUBLIC_BASE_URL);
  const isOpenToNetwork = ['0.0.0.0', '::', ''].includes(env.HOST);
  const own = [...loopbackHosts, env.HOST, ...(publicUrl === null ? [] : [publicUrl.hostname])];
  const allowedHosts =
    isOpenToNetwork && env.ALLOWED_HOSTS.length === 0
      ? null
      : [...own, ...env.ALLOWED_HOSTS].map((host) => host.toLowerCase());
  return {
    allowedHosts,
    servesHealthTo: allowedHosts === null ? () => true : hostCheck(allowedHosts),
    allowedOrigins: [...env.ALLOWED_ORIGINS, ...(publicUrl === null ? [] : [publicUrl.origin])],
    hasMail: env.SMTP_URL !== null,
    trustedProxies: env.TRUST_PROXY,
    maxConnections: env.MAX_CONNECTIONS,
    maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
    publicOrigin: publicUrl?.origin ?? null,
    simulated: env.SIMULATOR === 'on',
    version: readVersion(),
  };
}

/** Landfall's version. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
