/** The transport modes of the public contract. The enum is open: clients must accept new values. */
export const transportModes = ['ocean', 'air', 'road', 'rail', 'parcel'] as const;

export type TransportMode = (typeof transportModes)[number];
