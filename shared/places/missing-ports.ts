/** Container ports missing from the port list. Coordinates are in degrees, accurate to about a kilometre. */
export const missingPorts = [
  { unlocode: 'VNCMT', name: 'Cai Mep', lat: 10.53, lng: 107.03, timezone: 'Asia/Ho_Chi_Minh' },
  { unlocode: 'EGPSE', name: 'Port Said East', lat: 31.22, lng: 32.35, timezone: 'Africa/Cairo' },
  { unlocode: 'EGPSW', name: 'Port Said West', lat: 31.25, lng: 32.3, timezone: 'Africa/Cairo' },
  { unlocode: 'NGLKK', name: 'Lekki', lat: 6.43, lng: 4.01, timezone: 'Africa/Lagos' },
] as const;
