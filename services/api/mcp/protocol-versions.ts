/**
 * The revisions with `initialize`, served by @modelcontextprotocol/sdk. The first is the response to an unknown one.
 */
export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** The first revision without `initialize`, which every request declares itself. */
export const modernVersion = '2026-07-28';

export const protocolVersions: readonly string[] = [modernVersion, ...legacyVersions];

/** Revision 2025-06-18 removed JSON-RPC batches. Without the header, the client uses 2025-03-26 or older. */
export function allowsBatches(versionHeader: string | null): boolean {
  return versionHeader === null || ['2025-03-26', '2024-11-05', '2024-10-07'].includes(versionHeader);
}

/** True for revisions without `initialize`, including unsupported ones. */
export function isModernVersion(version: string | null): boolean {
  return version !== null && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= modernVersion;
}
