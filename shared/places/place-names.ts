import { foldName } from '#shared/domain/fold-text.ts';

/**
 * Other names of places: their codes (UN/LOCODE, IATA), then the names that people write. Compiled by hand for the
 * largest places: local, English, German, French, Italian and Spanish names, former names, and usual short forms.
 */
const groups = `
SEGOT GOT: Gothenburg, Göteborg, Gotenburg, Goetheborg
DEMUC MUC: Munich, München, Muenchen, Monaco di Baviera
ITGOA: Genoa, Genova, Gênes, Genua
NLRTM RTM: Rotterdam, Maasvlakte, Europoort
BEANR ANR: Antwerp, Antwerpen, Anvers, Antwerpen-Brugge, Antwerp-Bruges
BEGNE: Ghent, Gent, Gand
BEZEE: Zeebrugge, Zeebruges
BEBRU BRU: Brussels, Brüssel, Bruxelles, Brussel, Zaventem
DEHAM HAM: Hamburg, Hambourg, Amburgo
DEBRE BRE: Bremen, Brême
DECGN CGN: Cologne, Köln, Koeln, Colonia
DEDUS DUS: Düsseldorf, Duesseldorf
DENUE NUE: Nuremberg, Nürnberg, Nuernberg
DEHAJ HAJ: Hanover, Hannover
DEFRA FRA HHN: Frankfurt, Frankfurt am Main, Francfort
DELEJ LEJ: Leipzig, Leipzig/Halle
CHZRH ZRH: Zurich, Zürich, Zuerich
CHGVA GVA: Geneva, Genève, Genf
CHBSL FRBSL BSL: Basel, Basle, Bâle
ATVIE VIE: Vienna, Wien, Vienne
CZPRG PRG: Prague, Praha, Prag
HUBUD BUD: Budapest
PLWAW WAW: Warsaw, Warszawa, Warschau
PLGDN GDN: Gdansk, Gdańsk, Danzig
PLGDY: Gdynia, Gdingen
PLSZZ: Szczecin, Stettin
ROCND: Constanta, Constanța, Constantza
DKCPH CPH: Copenhagen, København, Kobenhavn, Kopenhagen
DKAAR AAR: Aarhus, Århus
DKAAL: Aalborg, Ålborg
SEMMA MMX: Malmö, Malmoe
SESTO ARN: Stockholm
FIHEL HEL: Helsinki, Helsingfors, Vuosaari
FITKU TKU: Turku, Åbo
FIKOK: Kokkola, Karleby
FIOUL FIOLU: Oulu, Uleåborg
NOKRS: Kristiansand
EETLL TLL: Tallinn, Reval
RULED LED: Saint Petersburg, St Petersburg, Sankt-Peterburg, Petersburg
RUMOW SVO DME VKO: Moscow, Moskva, Moskau
UAODS ODS: Odesa, Odessa
UAIEV UAKBP KBP: Kyiv, Kiev, Kiew
UAILK: Chornomorsk, Illichivsk, Ilyichevsk
FRPAR CDG ORY: Paris, Roissy
FRDKK: Dunkirk, Dunkerque, Dünkirchen
FRLEH: Le Havre, Havre
FRFOS: Fos-sur-Mer, Fos
FRMRS MRS: Marseille, Marseilles
FRLIO LYS: Lyon, Lyons
FRSXB SXB: Strasbourg, Straßburg
ITVCE VCE: Venice, Venezia, Venedig, Marghera
ITNAP NAP: Naples, Napoli, Neapel
ITMIL MXP LIN BGY: Milan, Milano, Mailand
ITROM FCO: Rome, Roma, Rom
ITLIV: Livorno, Leghorn
ITTRS: Trieste, Triest
ITTRN TRN: Turin, Torino
ITSPE: La Spezia, Spezia
ESLPA LPA: Las Palmas, Las Palmas de Gran Canaria
ESSCT ESTCI TFS: Tenerife, Santa Cruz de Tenerife
ESSVQ SVQ: Seville, Sevilla
ESLCG: La Coruña, A Coruña, Corunna
PTLIS LIS: Lisbon, Lisboa, Lissabon, Lisbonne
PTLEI OPO: Porto, Oporto, Leixões
GRPIR: Piraeus, Pireas, Piräus
GRATH ATH: Athens, Athina, Athen
GRSKG SKG: Thessaloniki, Saloniki, Salonica
MTMAR: Marsaxlokk, Malta Freeport
CYLMS: Limassol, Lemesos
TRIST IST SAW: Istanbul, Constantinople
TRIZM ADB: Izmir, Smyrna
TRALI: Aliaga, Aliağa
TRTEK: Tekirdag, Tekirdağ
GBLON LHR LGW STN LTN LCY: London, Londres
GBLGP: London Gateway
GBFXT: Felixstowe
IEDUB DUB: Dublin
IEORK ORK: Cork, Ringaskiddy
EGALY ALY: Alexandria, El Iskandariya, Al Iskandariyah
EGPSD EGPSE EGPSW: Port Said, Bur Said
EGDAM: Damietta, Dumyat
EGSOK EGAIS: Sokhna, Ain Sukhna, Ain Sokhna
EGSUZ: Suez, As Suways
MAPTM: Tanger Med, Tangier Med, Tanger Mediterranée, Tangier, Tanger
MACAS CMN: Casablanca, Dar el Beida
DZALG ALG: Algiers, Alger
LYTIP TIP: Tripoli
ILTLV TLV: Tel Aviv, Tel Aviv-Yafo
LBBEY BEY: Beirut, Beyrouth
JOAQJ: Aqaba, Al Aqabah
SAJED JED: Jeddah, Jedda, Dschidda, Djeddah
SADMM DMM: Dammam, Ad Dammam
SAKAC: King Abdullah Port, King Abdullah City, KAEC
AEJEA DWC: Jebel Ali, Mina Jabal Ali
AEDXB AEPRA DXB DWC: Dubai
AEKLF: Khor Fakkan, Khor al Fakkan, Khorfakkan
AEAUH AEKHL AUH: Abu Dhabi, Khalifa
QAHMD QADOH DOH: Doha, Hamad
IRBND: Bandar Abbas, Shahid Rajaee
INNSA: Nhava Sheva, Jawaharlal Nehru, JNPT, Navi Mumbai
INBOM BOM: Mumbai, Bombay
INMAA MAA: Chennai, Madras
INCCU CCU: Kolkata, Calcutta
INCOK COK: Kochi, Cochin
INTUT: Tuticorin, Thoothukudi
INBLR BLR: Bengaluru, Bangalore
INVTZ: Visakhapatnam, Vizag
INIXE: Mangalore, Mangaluru, New Mangalore
INDEL INICD INTKD DEL: Delhi, New Delhi
INPAV INPPV: Pipavav
LKCMB CMB: Colombo
BDCGP CGP: Chittagong, Chattogram
PKBQM: Port Qasim, Muhammad Bin Qasim
MMRGN RGN: Yangon, Rangoon
THBKK THPAT THLKR BKK DMK: Bangkok, Krung Thep
THLCH: Laem Chabang
VNSGN VNCLI VNVIC SGN: Ho Chi Minh City, Ho Chi Minh, Saigon, HCMC, HCM, Cat Lai
VNHPH: Haiphong, Hai Phong
VNVUT VNCMT VNTOT: Cai Mep, Vung Tau, Phu My
KHKOS: Sihanoukville, Kampong Saom, Kompong Som
MYPKG MYWSP: Port Klang, Port Kelang, Pelabuhan Klang, Klang
MYTPP: Tanjung Pelepas, PTP
MYPEN PEN: Penang, Pulau Pinang
IDJKT IDTPP CGK: Jakarta, Tanjung Priok, Batavia
IDSUB SUB: Surabaya, Tanjung Perak
IDSRG SRG: Semarang
IDMAK IDUPG UPG: Makassar, Ujung Pandang
PHMNL PHMNN PHMNS MNL: Manila
CNSHA CNSHG CNYAN PVG SHA: Shanghai, Waigaoqiao, Yangshan, 上海
CNNGB CNNBO CNNBG NGB: Ningbo, Ningpo, Beilun, 宁波, 寧波
CNTAO CNQIN CNQDG CNQAW TAO: Qingdao, Tsingtao, 青岛, 青島
CNTXG CNTSN CNXGG CNXGA CNTNJ TSN: Tianjin, Tientsin, Xingang, Tianjin Xingang, 天津
CNDLC CNDAL DLC: Dalian, Dairen, 大连, 大連
CNXMN CNXAM CNXMG XMN: Xiamen, Amoy, 厦门, 廈門
CNSZX CNYTN CNSHK CNCWN CNDCB CNMWN SZX: Shenzhen, 深圳
CNYTN: Yantian, 盐田, 鹽田
CNSHK: Shekou, 蛇口
CNCAN CNGZG CNHUA CNNSA CAN: Guangzhou, Canton, 广州, 廣州
CNNSA: Nansha, 南沙
CNFOC CNFZH CNMAW FOC: Fuzhou, Foochow, 福州
CNBJS CNPEK PEK PKX: Beijing, Peking, Pékin, 北京
CNNKG NKG: Nanjing, Nanking, 南京
CNCKG CKG: Chongqing, Chungking, 重庆, 重慶
CNSWA CNSTG SWA: Shantou, Swatow, 汕头, 汕頭
CNTAG CNTAC: Taicang, 太仓, 太倉
HKHKG HKG: Hong Kong, Hongkong, Kwai Chung, 香港
MOMFM MFM: Macau, Macao, 澳门, 澳門
TWKHH KHH: Kaohsiung, Gaoxiong, 高雄
TWKEL: Keelung, Chilung, Jilong, 基隆
TWTPE TPE: Taipei, Taoyuan, 台北, 臺北
TWTXG RMQ: Taichung, Taizhong, 台中, 臺中
KRPUS KRBNP PUS: Busan, Pusan, 부산, 釜山
KRINC ICN: Incheon, Inchon, 인천, 仁川
KRSEL ICN GMP: Seoul, Séoul, 서울
KRKAN: Gwangyang, Kwangyang, 광양
JPTYO NRT HND: Tokyo, Tokio, 東京
JPYOK: Yokohama, 横浜
JPUKB: Kobe, 神戸
JPOSA KIX ITM: Osaka, 大阪
JPNGO NGO: Nagoya, 名古屋
JPHKT FUK: Hakata, Fukuoka, 博多, 福岡
USLAX LAX: Los Angeles, LA, San Pedro
USLGB: Long Beach
USNYC USEWR JFK EWR LGA: New York, NYC, New York City, New York-New Jersey, New York/New Jersey, NYNJ, Port Newark
USEWR EWR: Newark, Port Newark, Newark NJ
USOAK OAK: Oakland
USSFO SFO: San Francisco, SF
USCHI ORD MDW RFD: Chicago
USHOU IAH HOU: Houston, Bayport, Barbours Cut
USORF: Norfolk, Hampton Roads, Port of Virginia
USMSY MSY: New Orleans, NOLA
USPEF FLL: Port Everglades, Fort Lauderdale
USDAL DFW AFW DAL: Dallas, DFW, Dallas/Fort Worth
USWAS IAD: Washington, Washington DC
USSEA SEA: Seattle
USPHL PHL: Philadelphia, Philly
USLAS LAS: Las Vegas, Vegas
USCVG CVG: Cincinnati
USSTL STL: Saint Louis, St Louis
CAMTR YUL YMX: Montreal, Montréal
CATOR YYZ: Toronto
CAVAN YVR: Vancouver, Deltaport
CAQUE YQB: Quebec, Québec
CASJF YYT: Saint John's, St John's
MXMEX MEX NLU: Mexico City, Ciudad de México, CDMX, México DF
MXZLO: Manzanillo
MXLZC: Lázaro Cárdenas
PABLB PAROD PAPSA: Balboa, Rodman
PAONX PAMIT PACTB PACSO PACFZ: Colón, Cristóbal, Coco Solo
GTSTC: Santo Tomás de Castilla, Puerto Santo Tomas
CRLIO CRMOB: Limón, Puerto Limón, Moín
CUHAV HAV: Havana, La Habana, Habana
ECGYE GYE: Guayaquil
PECLL LIM: Lima, Callao
CLSCL SCL: Santiago, Santiago de Chile
ARBUE EZE AEP: Buenos Aires, BsAs
BRSSZ: Santos
BRSAO GRU VCP: São Paulo, Sao Paulo
BRRIO GIG: Rio de Janeiro, Rio
BRSPB BRIGI: Itaguaí, Sepetiba
BRVLC BRVDC: Vila do Conde, Barcarena
ZAPLZ ZAZBA ZANGQ PLZ: Gqeberha, Port Elizabeth, Coega, Ngqura
ZACPT CPT: Cape Town, Kapstadt, Kaapstad
ZAJNB JNB: Johannesburg, City Deep
NGLOS NGAPP NGTIN LOS: Lagos, Apapa, Tin Can Island, Tincan
NGLKK NGLEK: Lekki
SNDKR DKR: Dakar
TZDAR DAR: Dar es Salaam, Daressalam
KENBO KEICD NBO: Nairobi
MGTMM MGTOA: Toamasina, Tamatave
AUFRE PER: Perth, Fremantle
AUSYD SYD: Sydney, Port Botany, Botany
AUPAE AUADL ADL: Adelaide, Port Adelaide
NZAKL AKL: Auckland
`;

/** IATA's metropolitan areas, by a name of the place. */
const metropolitanAreas = `
BJS Beijing, BUE Buenos Aires, CHI Chicago, LON London, MIL Milan, MOW Moscow, NYC New York, OSA Osaka, PAR Paris, RIO Rio de Janeiro,
ROM Rome, SAO São Paulo, SEL Seoul, STO Stockholm, TYO Tokyo, WAS Washington, YMQ Montreal, YTO Toronto
`;

export type NameGroup = { codes: readonly string[]; names: readonly string[] };

const groupsByName = new Map<string, NameGroup[]>();
for (const line of groups.trim().split('\n')) {
  const [codes = '', names = ''] = line.split(': ');
  const group = { codes: codes.split(' '), names: [...new Set(names.split(', ').map(foldName))] };
  for (const name of group.names) groupsByName.set(name, [...(groupsByName.get(name) ?? []), group]);
}
for (const area of metropolitanAreas.split(',')) {
  const [code = '', ...name] = area.trim().split(' ');
  groupsByName.set(foldName(code), groupsByName.get(foldName(name.join(' '))) ?? []);
}

/** The places that people call this, by a name in the form of `foldName`. */
export function nameGroups(name: string): readonly NameGroup[] {
  return groupsByName.get(name) ?? [];
}
