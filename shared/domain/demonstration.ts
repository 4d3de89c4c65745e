/** Marks demonstration shipments: they have both the tag and the prefix. */
export const demonstration = { tag: 'demo', referencePrefix: 'demo-' };
