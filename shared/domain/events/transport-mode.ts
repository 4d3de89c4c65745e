/** The transport modes. An open enum on the wire: clients must accept new values. */
export const transportModes = ['ocean', 'air', 'road', 'rail', 'parcel'] as const;

export type TransportMode = (typeof transportModes)[number];
