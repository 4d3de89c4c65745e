/** By what the shipments of the demonstration can be told from a client's own: they have both. */
export const demonstration = { tag: 'demo', referencePrefix: 'demo-' };
