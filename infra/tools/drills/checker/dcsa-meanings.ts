/** DCSA Track & Trace 2.2, appendix of event types, and what the API calls them. */
export const dcsaMeanings: Readonly<Record<string, string>> = {
  DEPA: 'departed',
  ARRI: 'arrived',
  'LOAD LADEN': 'loaded',
  'DISC LADEN': 'discharged',
  'GTOT EMPTY': 'gate_out_empty',
  'STUF LADEN': 'stuffed',
  'GTIN LADEN': 'gate_in_full',
  'GTOT LADEN': 'gate_out_full',
  'DROP LADEN': 'delivered',
  'GTIN EMPTY': 'gate_in_empty',
};
