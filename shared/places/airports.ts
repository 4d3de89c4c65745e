/** An airport. Coordinates are in degrees, accurate to about a kilometre; `country` is ISO 3166-1 alpha-2. */
export type Airport = { iata: string; unlocode: string; name: string; country: string; lat: number; lng: number };

/**
 * Airports with significant freight, compiled by hand: IATA code, country, city (with airport where the city has
 * several), latitude, longitude. The UN/LOCODE of an airport consists of its country and IATA code. An airport that is
 * not listed keeps only its IATA code.
 */
const rows = `
ADD ET Addis Ababa 8.98 38.8
AKL NZ Auckland -37.01 174.79
AMS NL Amsterdam 52.31 4.76
ANC US Anchorage 61.17 -149.99
ARN SE Stockholm Arlanda 59.65 17.92
ATH GR Athens 37.94 23.94
ATL US Atlanta 33.64 -84.43
AUH AE Abu Dhabi 24.43 54.65
BCN ES Barcelona 41.3 2.08
BKK TH Bangkok 13.69 100.75
BLR IN Bengaluru 13.2 77.71
BOG CO Bogotá 4.7 -74.15
BOM IN Mumbai 19.09 72.87
BOS US Boston 42.36 -71.01
BRU BE Brussels 50.9 4.48
BUD HU Budapest 47.44 19.26
CAI EG Cairo 30.12 31.41
CAN CN Guangzhou 23.39 113.3
CDG FR Paris Charles de Gaulle 49.01 2.55
CGN DE Cologne 50.87 7.14
CKG CN Chongqing 29.72 106.64
CMB LK Colombo 7.18 79.88
CPH DK Copenhagen 55.62 12.65
CTU CN Chengdu 30.58 103.95
CVG US Cincinnati 39.05 -84.66
DAC BD Dhaka 23.84 90.4
DEL IN Delhi 28.56 77.1
DFW US Dallas/Fort Worth 32.9 -97.04
DOH QA Doha 25.27 51.61
DUB IE Dublin 53.42 -6.27
DXB AE Dubai 25.25 55.36
EWR US Newark 40.69 -74.17
EZE AR Buenos Aires Ezeiza -34.82 -58.54
FCO IT Rome Fiumicino 41.8 12.25
FRA DE Frankfurt am Main 50.03 8.57
GRU BR São Paulo Guarulhos -23.44 -46.47
GVA CH Geneva 46.24 6.11
HAN VN Hanoi 21.22 105.81
HEL FI Helsinki 60.32 24.96
HKG HK Hong Kong 22.31 113.91
HND JP Tokyo Haneda 35.55 139.78
HNL US Honolulu 21.32 -157.92
HYD IN Hyderabad 17.24 78.43
IAH US Houston 29.98 -95.34
ICN KR Seoul Incheon 37.46 126.44
IST TR Istanbul 41.26 28.74
JED SA Jeddah 21.68 39.16
JFK US New York John F. Kennedy 40.64 -73.78
JNB ZA Johannesburg -26.13 28.24
KIX JP Osaka Kansai 34.43 135.24
KUL MY Kuala Lumpur 2.75 101.71
LAX US Los Angeles 33.94 -118.41
LEJ DE Leipzig/Halle 51.42 12.24
LGG BE Liège 50.64 5.44
LHR GB London Heathrow 51.47 -0.45
LIM PE Lima -12.02 -77.11
LIS PT Lisbon 38.77 -9.13
LOS NG Lagos 6.58 3.32
LUX LU Luxembourg 49.63 6.21
MAA IN Chennai 12.99 80.17
MAD ES Madrid 40.47 -3.56
MAN GB Manchester 53.35 -2.28
MEL AU Melbourne -37.67 144.84
MEM US Memphis 35.04 -89.98
MEX MX Mexico City 19.44 -99.07
MIA US Miami 25.79 -80.29
MNL PH Manila 14.51 121.02
MUC DE Munich 48.35 11.79
MXP IT Milan Malpensa 45.63 8.72
NBO KE Nairobi -1.32 36.93
NGO JP Nagoya Chubu 34.86 136.81
NRT JP Tokyo Narita 35.77 140.39
ORD US Chicago O'Hare 41.98 -87.9
OSL NO Oslo 60.19 11.1
PEK CN Beijing Capital 40.08 116.58
PHL US Philadelphia 39.87 -75.24
PRG CZ Prague 50.1 14.26
PVG CN Shanghai Pudong 31.14 121.81
RUH SA Riyadh 24.96 46.7
SCL CL Santiago -33.39 -70.79
SDF US Louisville 38.17 -85.74
SEA US Seattle 47.45 -122.31
SFO US San Francisco 37.62 -122.38
SGN VN Ho Chi Minh City 10.82 106.65
SIN SG Singapore 1.36 103.99
STN GB London Stansted 51.89 0.24
SYD AU Sydney -33.95 151.18
SZX CN Shenzhen 22.64 113.81
TLV IL Tel Aviv 32.01 34.89
TPE TW Taipei Taoyuan 25.08 121.23
VIE AT Vienna 48.11 16.57
WAW PL Warsaw 52.17 20.97
XMN CN Xiamen 24.54 118.13
YUL CA Montreal 45.47 -73.74
YVR CA Vancouver 49.19 -123.18
YYZ CA Toronto Pearson 43.68 -79.63
ZRH CH Zurich 47.46 8.55
`;

const byCode = new Map<string, Airport>();
for (const row of rows.trim().split('\n')) {
  const [, iata = '', country = '', name = '', lat, lng] = /^(\S+) (\S+) (.+) (\S+) (\S+)$/.exec(row) ?? [];
  byCode.set(iata, { iata, unlocode: `${country}${iata}`, name, country, lat: Number(lat), lng: Number(lng) });
}

/** The airport with this IATA code, in any case. Null when it is not in the list. */
export function findAirport(iata: string | null): Airport | null {
  return byCode.get(iata?.trim().toUpperCase() ?? '') ?? null;
}
