import { cutText } from '../cut-text.ts';

/** Larger documents are refused. Signatures and photos of carriers have 10 to 500 KiB; a scanned page has 1 to 3 MiB. */
export const maxProofBytes = 5 * 1024 * 1024;

/** Types of documents, with the bytes that each begins with. What the carrier says about the type is not believed. */
const signatures = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/gif': [0x47, 0x49, 0x46, 0x38],
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
} as const;
export type ProofMediaType = keyof typeof signatures;
export const proofMediaTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'application/pdf',
] as const satisfies ProofMediaType[];

const extensions: Record<ProofMediaType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
};

/** The type of a document, by its first bytes. Null: it is none that is passed on. */
export function proofMediaType(content: Uint8Array): ProofMediaType | null {
  return proofMediaTypes.find((type) => signatures[type].every((byte, at) => content[at] === byte)) ?? null;
}

/** Name of the file, of characters that are safe in a header. */
export function proofFileName(shipmentId: string, proofId: string, mediaType: ProofMediaType): string {
  return `${shipmentId}-${proofId}.${extensions[mediaType]}`;
}

/** Reasons for a missing document. */
export const proofFailures = ['credentials_missing', 'rate_limited', 'unavailable'] as const;
export type ProofFailure = (typeof proofFailures)[number];

/** `detail`: a sentence for the account. `retryAfterMs` null: unknown. */
export type FailedProof = { outcome: 'failed'; failure: ProofFailure; detail: string; retryAfterMs: number | null };
export type ProofAnswer = { outcome: 'found'; mediaType: ProofMediaType } | FailedProof;

const maxDetailLength = 300;

export function failedProof(failure: ProofFailure, detail: string, retryAfterMs: number | null = null): FailedProof {
  return { outcome: 'failed', failure, detail: cutText(detail, maxDetailLength), retryAfterMs };
}
