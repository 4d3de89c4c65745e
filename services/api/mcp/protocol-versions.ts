/** The revisions that begin with `initialize`: those of @modelcontextprotocol/sdk. The newest is what an unknown one is answered with. */
export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** The first revision without `initialize`, of which every request says so itself. */
export const modernVersion = '2026-07-28';

export const protocolVersions: readonly string[] = [modernVersion, ...legacyVersions];

/** JSON-RPC batches came and went: revision 2025-06-18 took them out. Without the header a client speaks 2025-03-26 or older. */
export function allowsBatches(versionHeader: string | null): boolean {
  return versionHeader === null || ['2025-03-26', '2024-11-05', '2024-10-07'].includes(versionHeader);
}

/** True for a revision of the new era, also one that is not served. */
export function isModernVersion(version: string | null): boolean {
  return version !== null && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= modernVersion;
}
