/** Why there is no connector for a carrier, by its code, where more is known than that there is none. */
export const reasonsWithoutConnector: Readonly<Record<string, string>> = {
  OOLU: 'OOCL publishes no specification of its tracking API. If you have one, open a carrier issue.',
  dpd: 'DPD is a group of national companies, each with its own interface, and none publishes the values that it returns.',
  'canada-post': 'Its tracking API is public, but answers in XML, which this release cannot read.',
};
