/**
 * Zones by the first characters of postal codes: `zone: from-to from-to`. In the United States by sectional centers
 * (USPS L002) and the boundaries of 49 CFR part 71; elsewhere by the province or state that the prefix stands for.
 * Prefixes that lie in two zones are left out: the state's main zone follows.
 */
const rows: Readonly<Record<string, { length: number; zones: string }>> = {
  US: {
    length: 3,
    zones: `America/New_York: 005-005 010-089 100-199 200-268 270-323 326-339 341-342 344-344 346-347 349-349 373-374 376-379
        398-399 400-419 425-426 430-459; America/Detroit: 480-497; America/Indiana/Indianapolis: 460-462 465-474 478-479;
      America/Kentucky/Louisville: 401-402;
      America/Chicago: 325-325 350-369 370-372 380-397 420-424 463-464 476-477 500-567 570-576 580-585 587-588 600-676 678-692
        700-797;
      America/Denver: 577-577 586-586 590-599 693-693 798-799 800-831 834-834 836-837 840-847 870-885;
      America/Boise: 832-833; America/Los_Angeles: 835-835 838-838 889-898 900-961 970-978 980-994;
      America/Phoenix: 850-859 863-864; America/Puerto_Rico: 006-007 009-009; America/St_Thomas: 008-008;
      Pacific/Honolulu: 967-968; Pacific/Guam: 969-969; America/Anchorage: 995-999`,
  },
  CA: {
    length: 1,
    zones: `America/Halifax: B-C; America/Moncton: E-E; America/Toronto: G-N;
      America/Winnipeg: R-R; America/Regina: S-S; America/Edmonton: T-T;
      America/Whitehorse: Y-Y`,
  },
  AU: {
    length: 1,
    zones: `Australia/Sydney: 1-2; Australia/Melbourne: 3-3 8-8; Australia/Brisbane: 4-4 9-9; Australia/Adelaide: 5-5;
      Australia/Perth: 6-6; Australia/Hobart: 7-7; Australia/Darwin: 0-0`,
  },
  BR: {
    length: 3,
    zones: `America/Sao_Paulo: 010-399 700-767 800-999; America/Bahia: 400-489; America/Maceio: 490-499 570-579;
      America/Recife: 500-569; America/Fortaleza: 580-659; America/Belem: 660-689; America/Porto_Velho: 768-769;
      America/Cuiaba: 780-789; America/Campo_Grande: 790-799`,
  },
  MX: {
    length: 2,
    zones: `America/Mexico_City: 01-20 28-31 36-62 68-76 78-79 86-86 90-96 98-99; America/Tijuana: 21-22;
      America/Mazatlan: 23-23 63-63 80-82; America/Merida: 24-24 97-97; America/Monterrey: 25-25 27-27 34-35 64-67;
      America/Hermosillo: 83-85; America/Cancun: 77-77`,
  },
  RU: {
    length: 3,
    zones: `Europe/Moscow: 101-173 180-188 190-199 295-299 300-309 344-347 350-369 385-386 390-399 420-424 427-431 440-442;
      Europe/Kaliningrad: 236-238; Europe/Volgograd: 400-404; Europe/Saratov: 410-413; Europe/Astrakhan: 414-416;
      Europe/Ulyanovsk: 432-433; Europe/Samara: 443-446 426-427; Europe/Kirov: 610-613;
      Asia/Yekaterinburg: 450-462 614-629 640-641; Asia/Omsk: 644-646; Asia/Barnaul: 649-649 656-659;
      Asia/Novosibirsk: 630-633; Asia/Tomsk: 634-636; Asia/Novokuznetsk: 650-654; Asia/Krasnoyarsk: 655-655 660-663 667-668;
      Asia/Irkutsk: 664-666 670-671; Asia/Chita: 672-674; Asia/Yakutsk: 675-677; Asia/Magadan: 685-686;
      Asia/Kamchatka: 683-684; Asia/Anadyr: 689-689; Asia/Sakhalin: 693-694; Asia/Vladivostok: 679-682 690-692`,
  },
  ID: {
    length: 2,
    zones: `Asia/Jakarta: 10-39 40-69; Asia/Pontianak: 73-74 78-79; Asia/Makassar: 70-72 75-77 80-96;
      Asia/Jayapura: 97-99`,
  },
  ES: { length: 2, zones: 'Europe/Madrid: 01-34 36-37 39-50; Atlantic/Canary: 35-35 38-38; Africa/Ceuta: 51-52' },
  PT: { length: 2, zones: 'Europe/Lisbon: 10-89; Atlantic/Madeira: 90-94; Atlantic/Azores: 95-99' },
  FR: {
    length: 3,
    zones: `Europe/Paris: 010-959; America/Guadeloupe: 971-971; America/Martinique: 972-972; America/Cayenne: 973-973;
      Indian/Reunion: 974-974; America/Miquelon: 975-975; Indian/Mayotte: 976-976; Pacific/Tahiti: 987-987;
      Pacific/Noumea: 988-988`,
  },
};

type Range = { from: string; to: string; timezone: string };

const ranges = new Map<string, readonly Range[]>();

export function hasPostalZones(country: string): boolean {
  return rows[country] !== undefined;
}

/** The zone of a postal code, whole or its beginning. Null: unknown, or its prefix lies in two zones. */
export function zoneOfPostalCode(country: string, postalCode: string): string | null {
  const row = rows[country];
  const prefix = postalCode
    .replace(/[\s-]/g, '')
    .toUpperCase()
    .slice(0, row?.length ?? 0);
  if (row === undefined || prefix.length < row.length) return null;
  let known = ranges.get(country);
  if (known === undefined) {
    known = readRanges(row.zones);
    ranges.set(country, known);
  }
  const found = known.filter(({ from, to }) => prefix >= from && prefix <= to);
  return found.at(-1)?.timezone ?? null;
}

function readRanges(text: string): Range[] {
  return text.split(';').flatMap((row) => {
    const [timezone = '', list = ''] = row.trim().split(/:\s+/);
    return list.split(/\s+/).map((range) => {
      const [from = '', to = from] = range.split('-');
      return { from, to, timezone };
    });
  });
}
