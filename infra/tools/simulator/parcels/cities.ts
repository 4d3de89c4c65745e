/** A city on parcel routes. */
export type City = {
  name: string;
  state: string | null;
  country: string;
  countryName: string;
  postalCode: string;
  zone: string;
};

/** City, state, country, country's name, postal code, IANA zone. */
const rows: [string, string | null, string, string, string, string][] = [
  ['New York', 'NY', 'US', 'UNITED STATES', '10001', 'America/New_York'],
  ['Boston', 'MA', 'US', 'UNITED STATES', '02108', 'America/New_York'],
  ['Atlanta', 'GA', 'US', 'UNITED STATES', '30303', 'America/New_York'],
  ['Columbus', 'OH', 'US', 'UNITED STATES', '43085', 'America/New_York'],
  ['Chicago', 'IL', 'US', 'UNITED STATES', '60601', 'America/Chicago'],
  ['Minneapolis', 'MN', 'US', 'UNITED STATES', '55401', 'America/Chicago'],
  ['Denver', 'CO', 'US', 'UNITED STATES', '80202', 'America/Denver'],
  ['Seattle', 'WA', 'US', 'UNITED STATES', '98101', 'America/Los_Angeles'],
  ['San Francisco', 'CA', 'US', 'UNITED STATES', '94102', 'America/Los_Angeles'],
  ['Louisville', 'KY', 'US', 'UNITED STATES', '40201', 'America/Kentucky/Louisville'],
  ['Memphis', 'TN', 'US', 'UNITED STATES', '37501', 'America/Chicago'],
  ['Cincinnati', 'OH', 'US', 'UNITED STATES', '45202', 'America/New_York'],
  ['Newark', 'NJ', 'US', 'UNITED STATES', '07102', 'America/New_York'],
  ['Berlin', null, 'DE', 'GERMANY', '10115', 'Europe/Berlin'],
  ['München', null, 'DE', 'GERMANY', '80331', 'Europe/Berlin'],
  ['Bremen', null, 'DE', 'GERMANY', '28195', 'Europe/Berlin'],
  ['Leipzig', null, 'DE', 'GERMANY', '04103', 'Europe/Berlin'],
  ['Köln', null, 'DE', 'GERMANY', '50667', 'Europe/Berlin'],
  ['Amsterdam', null, 'NL', 'NETHERLANDS', '1011', 'Europe/Amsterdam'],
  ['Łódź', null, 'PL', 'POLAND', '90-001', 'Europe/Warsaw'],
  ['Paris', null, 'FR', 'FRANCE', '75001', 'Europe/Paris'],
  ['Lyon', null, 'FR', 'FRANCE', '69001', 'Europe/Paris'],
  ['Milano', null, 'IT', 'ITALY', '20121', 'Europe/Rome'],
  ['Manchester', null, 'GB', 'UNITED KINGDOM', 'M1 1AE', 'Europe/London'],
  ['East Midlands', null, 'GB', 'UNITED KINGDOM', 'DE74 2TR', 'Europe/London'],
  ['東京', null, 'JP', 'JAPAN', '100-0001', 'Asia/Tokyo'],
];

const cities = new Map(
  rows.map(([name, state, country, countryName, postalCode, zone]) => [
    name,
    { name, state, country, countryName, postalCode, zone },
  ]),
);

/** The city with this name. Throws for an unknown name. */
export function cityOf(name: string): City {
  const city = cities.get(name);
  if (!city) throw new Error(`${name} is not a city of the simulator`);
  return city;
}
