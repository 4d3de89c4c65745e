import { foldName } from '#shared/domain/fold-text.ts';

/**
 * The zone in which most people of a state, province or region live: `zone: code name, code name`. Codes are those of
 * ISO 3166-2 and those that carriers write instead. Regions that have several zones were decided by the population of
 * their cities in GeoNames. Countries whose regions share one clock are left out.
 */
const rows: Readonly<Record<string, string>> = {
  US: `America/New_York: ct connecticut, dc district of columbia, de delaware, fl florida, ga georgia, ky kentucky,
      ma massachusetts, md maryland, me maine, nc north carolina, nh new hampshire, nj new jersey, ny new york, oh ohio,
      pa pennsylvania, ri rhode island, sc south carolina, va virginia, vt vermont, wv west virginia;
    America/Detroit: mi michigan; America/Indiana/Indianapolis: in indiana;
    America/Chicago: al alabama, ar arkansas, ia iowa, il illinois, ks kansas, la louisiana, mn minnesota, mo missouri,
      ms mississippi, nd north dakota, ne nebraska, ok oklahoma, sd south dakota, tn tennessee, tx texas, wi wisconsin;
    America/Denver: co colorado, mt montana, nm new mexico, ut utah, wy wyoming; America/Boise: id idaho;
    America/Phoenix: az arizona; America/Los_Angeles: ca california, nv nevada, or oregon, wa washington;
    America/Anchorage: ak alaska; Pacific/Honolulu: hi hawaii; America/Puerto_Rico: pr puerto rico;
    America/St_Thomas: vi virgin islands; Pacific/Guam: gu guam; Pacific/Pago_Pago: as american samoa;
    Pacific/Saipan: mp northern mariana islands`,
  CA: `America/Edmonton: ab alberta, nt northwest territories; America/Vancouver: bc british columbia;
    America/Winnipeg: mb manitoba; America/Moncton: nb new brunswick;
    America/St_Johns: nl newfoundland and labrador, nf newfoundland; America/Halifax: ns nova scotia, pe prince edward island;
    America/Iqaluit: nu nunavut; America/Toronto: on ontario, qc quebec, pq quebec; America/Regina: sk saskatchewan;
    America/Whitehorse: yt yukon, yk yukon territory`,
  AU: `Australia/Sydney: act australian capital territory, nsw new south wales, ac act, ns new south wales;
    Australia/Melbourne: vic victoria, vi victoria; Australia/Brisbane: qld queensland, ql queensland;
    Australia/Adelaide: sa south australia; Australia/Perth: wa western australia;
    Australia/Hobart: tas tasmania, ts tasmania; Australia/Darwin: nt northern territory`,
  BR: `America/Sao_Paulo: df distrito federal, es espirito santo, go goias, mg minas gerais, pr parana, rj rio de janeiro,
      rs rio grande do sul, sc santa catarina, sp sao paulo;
    America/Bahia: ba bahia; America/Fortaleza: ce ceara, ma maranhao, pb paraiba, pi piaui, rn rio grande do norte;
    America/Recife: pe pernambuco; America/Maceio: al alagoas, se sergipe; America/Belem: ap amapa, pa para;
    America/Araguaina: to tocantins; America/Cuiaba: mt mato grosso; America/Campo_Grande: ms mato grosso do sul;
    America/Manaus: am amazonas; America/Porto_Velho: ro rondonia; America/Boa_Vista: rr roraima;
    America/Rio_Branco: ac acre`,
  MX: `America/Mexico_City: agu aguascalientes, ag aguascalientes, cmx ciudad de mexico, df distrito federal, cm mexico city,
      chp chiapas, cs chiapas, col colima, cl colima, gua guanajuato, gt guanajuato, gro guerrero, gr guerrero,
      hid hidalgo, hg hidalgo, jal jalisco, ja jalisco, mex estado de mexico, em mexico, mic michoacan, mi michoacan,
      mor morelos, mo morelos, oax oaxaca, oa oaxaca, pue puebla, pu puebla, que queretaro, qt queretaro, qe queretaro,
      slp san luis potosi, sl san luis potosi, tab tabasco, tb tabasco, tla tlaxcala, tl tlaxcala, ver veracruz,
      ve veracruz, zac zacatecas, za zacatecas;
    America/Monterrey: coa coahuila, co coahuila, dur durango, dg durango, nle nuevo leon, nl nuevo leon;
    America/Matamoros: tam tamaulipas, tm tamaulipas; America/Merida: cam campeche, yuc yucatan, yu yucatan;
    America/Cancun: roo quintana roo, qr quintana roo; America/Chihuahua: chh chihuahua, ch chihuahua, ci chihuahua;
    America/Mazatlan: nay nayarit, na nayarit, sin sinaloa, si sinaloa, bcs baja california sur, bs baja california sur;
    America/Hermosillo: son sonora, so sonora; America/Tijuana: bcn baja california, bc baja california norte`,
  RU: `Europe/Moscow: mow moscow, mos moskovskaya, spe saint petersburg, len leningrad, len leningradskaya, ad adygea,
      ark arkhangelsk, bel belgorod, bry bryansk, ce chechnya, cu chuvashia, da dagestan, in ingushetia, iva ivanovo,
      kb kabardino balkaria, klu kaluga, kc karachay cherkessia, kr karelia, ko komi, kos kostroma, kda krasnodar,
      krs kursk, lip lipetsk, me mari el, mo mordovia, mur murmansk, nen nenets, ngr novgorod, niz nizhny novgorod,
      se north ossetia, orl oryol, pnz penza, psk pskov, ros rostov, rya ryazan, smo smolensk, sta stavropol, tam tambov,
      ta tatarstan, tve tver, tul tula, vla vladimir, vlg vologda, vor voronezh, yar yaroslavl;
    Europe/Volgograd: vgg volgograd; Europe/Kirov: kir kirov; Europe/Kaliningrad: kgd kaliningrad;
    Europe/Samara: sam samara, ud udmurtia; Europe/Saratov: sar saratov; Europe/Ulyanovsk: uly ulyanovsk;
    Europe/Astrakhan: ast astrakhan;
    Asia/Yekaterinburg: sve sverdlovsk, che chelyabinsk, ba bashkortostan, khm khanty mansi, kgn kurgan, ore orenburg,
      per perm, tyu tyumen, yan yamalo nenets;
    Asia/Omsk: oms omsk; Asia/Novosibirsk: nvs novosibirsk; Asia/Barnaul: alt altai krai, al altai; Asia/Tomsk: tom tomsk;
    Asia/Novokuznetsk: kem kemerovo; Asia/Krasnoyarsk: kya krasnoyarsk, kk khakassia, ty tuva;
    Asia/Irkutsk: irk irkutsk, bu buryatia; Asia/Yakutsk: sa sakha, sa yakutia, amu amur; Asia/Chita: zab zabaykalsky;
    Asia/Vladivostok: pri primorsky, pri primorye, kha khabarovsk, yev jewish; Asia/Sakhalin: sak sakhalin;
    Asia/Magadan: mag magadan; Asia/Kamchatka: kam kamchatka; Asia/Anadyr: chu chukotka`,
  ID: `Asia/Jakarta: jk jakarta, jk dki jakarta, jb west java, jb jawa barat, jt central java, jt jawa tengah, ji east java,
      ji jawa timur, bt banten, yo yogyakarta, ac aceh, su north sumatra, su sumatera utara, sb west sumatra,
      sb sumatera barat, ss south sumatra, ss sumatera selatan, ri riau, kr riau islands, kr kepulauan riau, ja jambi,
      be bengkulu, la lampung, bb bangka belitung;
    Asia/Pontianak: kb west kalimantan, kb kalimantan barat, kt central kalimantan, kt kalimantan tengah;
    Asia/Makassar: ba bali, nb west nusa tenggara, nt east nusa tenggara, ks south kalimantan, ks kalimantan selatan,
      ki east kalimantan, ki kalimantan timur, ku north kalimantan, sn south sulawesi, sn sulawesi selatan,
      sa north sulawesi, sa sulawesi utara, st central sulawesi, sg southeast sulawesi, go gorontalo, sr west sulawesi;
    Asia/Jayapura: pa papua, pb west papua, ma maluku, mu north maluku`,
  ES: `Atlantic/Canary: cn canarias, cn canary islands, gc las palmas, tf santa cruz de tenerife;
    Africa/Ceuta: ce ceuta, ml melilla;
    Europe/Madrid: md madrid, m madrid, ct catalonia, ct cataluna, b barcelona, an andalucia, an andalusia, vc valencia,
      v valencia, ga galicia, pv pais vasco, pv basque country, cl castilla y leon, cm castilla la mancha, ar aragon,
      ib islas baleares, ib balearic islands, mc murcia, nc navarra, as asturias, cb cantabria, ex extremadura,
      ri la rioja`,
  PT: `Atlantic/Azores: 20 azores, 20 acores; Atlantic/Madeira: 30 madeira;
    Europe/Lisbon: 01 aveiro, 02 beja, 03 braga, 04 braganca, 05 castelo branco, 06 coimbra, 07 evora, 08 faro, 09 guarda,
      10 leiria, 11 lisboa, 11 lisbon, 12 portalegre, 13 porto, 14 santarem, 15 setubal, 16 viana do castelo,
      17 vila real, 18 viseu`,
  CL: `America/Punta_Arenas: ma magallanes; Pacific/Easter: ip isla de pascua;
    America/Santiago: ai aysen, an antofagasta, ap arica y parinacota, ar araucania, at atacama, bi biobio, co coquimbo,
      li ohiggins, ll los lagos, lr los rios, ml maule, rm santiago, rm metropolitana, ta tarapaca, vs valparaiso`,
  EC: `Pacific/Galapagos: w galapagos; America/Guayaquil: g guayas, p pichincha, a azuay, m manabi, o el oro`,
  NZ: `Pacific/Chatham: cit chatham islands; Pacific/Auckland: auk auckland, can canterbury, wgn wellington, wko waikato,
      bop bay of plenty, ota otago, mwt manawatu, hkb hawkes bay, ntl northland, stl southland, tki taranaki, nsn nelson,
      mbh marlborough, tas tasman, gis gisborne, wtc west coast`,
  CD: `Africa/Kinshasa: kn kinshasa, bc kongo central, eq equateur, kg kwango, kl kwilu, mn mai ndombe, mo mongala,
      nu nord ubangi, su sud ubangi, tu tshuapa;
    Africa/Lubumbashi: hk haut katanga, lu lualaba, hl haut lomami, ta tanganyika, nk nord kivu, sk sud kivu, ma maniema,
      it ituri, to tshopo, bu bas uele, hu haut uele, kc kasai central, ke kasai oriental, ks kasai, lo lomami,
      sa sankuru`,
  MN: 'Asia/Hovd: 043 hovd, 071 bayan olgii, 046 uvs; Asia/Ulaanbaatar: 1 ulaanbaatar, 035 orkhon, 037 darkhan uul',
  PG: 'Pacific/Bougainville: nsb bougainville; Pacific/Port_Moresby: ncd national capital district, mpl morobe',
};

/** Words beside a region's own name: `Oblast`, `Provincia de`. */
const around =
  /^(province|provincia|state|estado|republic|region|oblast|city) (of|de|del) | (oblast|obl|krai|kray|republic|respublika|province|region|state|okrug|governorate)$/g;

type Region = { code: string; timezone: string };

const regionsByKey = new Map<string, Region>();
const countriesByName = new Map<string, Set<string>>();
for (const [country, text] of Object.entries(rows))
  for (const row of text.split(';')) {
    const [, timezone = '', list = ''] = /^\s*(\S+): ([\s\S]+)$/.exec(row) ?? [];
    for (const region of list.split(',')) {
      const [code = '', ...name] = region.trim().split(/\s+/);
      const named = name.join(' ');
      regionsByKey.set(`${country} ${code}`, { code, timezone });
      // The first code of a region is that of ISO 3166-2.
      if (!regionsByKey.has(`${country} ${named}`)) regionsByKey.set(`${country} ${named}`, { code, timezone });
      countriesByName.set(named, (countriesByName.get(named) ?? new Set()).add(country));
    }
  }

/** The zone in which most people of the region live, by its code (`TX`, `US-TX`) or name. Null: unknown. */
export function zoneOfRegion(country: string, region: string): string | null {
  return findRegion(country, region)?.timezone ?? null;
}

/** The code of a region that is named or coded, in upper case: `TX` for `Texas`. Null: unknown. */
export function regionCode(country: string, region: string): string | null {
  return findRegion(country, region)?.code.toUpperCase() ?? null;
}

function findRegion(country: string, region: string): Region | null {
  const name = foldName(region).replace(around, '').trim();
  const code = name.startsWith(`${country.toLowerCase()} `) ? name.slice(country.length + 1) : name;
  return regionsByKey.get(`${country} ${code}`) ?? null;
}

/** The countries with a region of this name. Codes are shared by too many. */
export function countriesOfRegion(name: string): string[] {
  return [...(countriesByName.get(foldName(name).replace(around, '').trim()) ?? [])];
}

/** True for the code or the name of one of the country's regions. */
export function isRegion(country: string, region: string): boolean {
  return zoneOfRegion(country, region) !== null;
}

/** True when the country's regions have different clocks. */
export function hasRegionZones(country: string): boolean {
  return rows[country] !== undefined;
}
