/** ISO 3166-1 with the English short names of the Unicode CLDR, in plain letters. */
const names = `
  AD andorra, AE united arab emirates, AF afghanistan, AG antigua and barbuda, AI anguilla, AL albania, AM armenia, AO angola,
  AQ antarctica, AR argentina, AS american samoa, AT austria, AU australia, AW aruba, AX aland islands, AZ azerbaijan,
  BA bosnia and herzegovina, BB barbados, BD bangladesh, BE belgium, BF burkina faso, BG bulgaria, BH bahrain, BI burundi, BJ benin,
  BL st barthelemy, BM bermuda, BN brunei, BO bolivia, BQ caribbean netherlands, BR brazil, BS bahamas, BT bhutan, BV bouvet island,
  BW botswana, BY belarus, BZ belize, CA canada, CC cocos islands, CD democratic republic of the congo, CF central african republic,
  CG congo, CH switzerland, CI cote d ivoire, CK cook islands, CL chile, CM cameroon, CN china, CO colombia, CR costa rica, CU cuba,
  CV cape verde, CW curacao, CX christmas island, CY cyprus, CZ czechia, DE germany, DJ djibouti, DK denmark, DM dominica,
  DO dominican republic, DZ algeria, EC ecuador, EE estonia, EG egypt, EH western sahara, ER eritrea, ES spain, ET ethiopia,
  FI finland, FJ fiji, FK falkland islands, FM micronesia, FO faroe islands, FR france, GA gabon, GB united kingdom, GD grenada,
  GE georgia, GF french guiana, GG guernsey, GH ghana, GI gibraltar, GL greenland, GM gambia, GN guinea, GP guadeloupe,
  GQ equatorial guinea, GR greece, GS south georgia and south sandwich islands, GT guatemala, GU guam, GW guinea bissau, GY guyana,
  HK hong kong, HM heard and mcdonald islands, HN honduras, HR croatia, HT haiti, HU hungary, ID indonesia, IE ireland, IL israel,
  IM isle of man, IN india, IO british indian ocean territory, IQ iraq, IR iran, IS iceland, IT italy, JE jersey, JM jamaica,
  JO jordan, JP japan, KE kenya, KG kyrgyzstan, KH cambodia, KI kiribati, KM comoros, KN st kitts and nevis, KP north korea,
  KR south korea, KW kuwait, KY cayman islands, KZ kazakhstan, LA laos, LB lebanon, LC st lucia, LI liechtenstein, LK sri lanka,
  LR liberia, LS lesotho, LT lithuania, LU luxembourg, LV latvia, LY libya, MA morocco, MC monaco, MD moldova, ME montenegro,
  MF st martin, MG madagascar, MH marshall islands, MK north macedonia, ML mali, MM myanmar, MN mongolia, MO macao,
  MP northern mariana islands, MQ martinique, MR mauritania, MS montserrat, MT malta, MU mauritius, MV maldives, MW malawi,
  MX mexico, MY malaysia, MZ mozambique, NA namibia, NC new caledonia, NE niger, NF norfolk island, NG nigeria, NI nicaragua,
  NL netherlands, NO norway, NP nepal, NR nauru, NU niue, NZ new zealand, OM oman, PA panama, PE peru, PF french polynesia,
  PG papua new guinea, PH philippines, PK pakistan, PL poland, PM st pierre and miquelon, PN pitcairn islands, PR puerto rico,
  PS palestine, PT portugal, PW palau, PY paraguay, QA qatar, RE reunion, RO romania, RS serbia, RU russia, RW rwanda,
  SA saudi arabia, SB solomon islands, SC seychelles, SD sudan, SE sweden, SG singapore, SH st helena, SI slovenia,
  SJ svalbard and jan mayen, SK slovakia, SL sierra leone, SM san marino, SN senegal, SO somalia, SR suriname, SS south sudan,
  ST sao tome and principe, SV el salvador, SX sint maarten, SY syria, SZ eswatini, TC turks and caicos islands, TD chad,
  TF french southern territories, TG togo, TH thailand, TJ tajikistan, TK tokelau, TL timor leste, TM turkmenistan, TN tunisia,
  TO tonga, TR turkiye, TT trinidad and tobago, TV tuvalu, TW taiwan, TZ tanzania, UA ukraine, UG uganda, UM us outlying islands,
  US united states, UY uruguay, UZ uzbekistan, VA vatican city, VC st vincent and grenadines, VE venezuela,
  VG british virgin islands, VI us virgin islands, VN vietnam, VU vanuatu, WF wallis and futuna, WS samoa, YE yemen, YT mayotte,
  ZA south africa, ZM zambia, ZW zimbabwe
`;

const otherNames = `
  US usa, US united states of america, US america, GB uk, GB great britain, GB england, AE uae, NL holland, KR korea, KR republic of korea,
  CN peoples republic of china, CN people s republic of china, MO macau, TR turkey, CZ czech republic, MM burma, CI ivory coast, VN viet nam, RU russian federation,
  BN brunei darussalam, BO bolivia plurinational state of, BO plurinational state of bolivia, CD congo democratic republic of the,
  CD congo the democratic republic of the, CG republic of the congo, CV cabo verde, FM micronesia federated states of,
  GM gambia the, HK hong kong sar, HK hong kong sar china, IR iran islamic republic of, IR islamic republic of iran,
  KP korea democratic people s republic of, KR korea republic of, LA lao people s democratic republic,
  MD moldova republic of, MD republic of moldova, MO macao sar, MO macao sar china, NL netherlands kingdom of the,
  PS palestine state of, PS state of palestine, SY syrian arab republic, TW taiwan province of china,
  TZ tanzania united republic of, TZ united republic of tanzania, US united states of america the, VE venezuela bolivarian republic of,
  VE bolivarian republic of venezuela, GB united kingdom of great britain and northern ireland
`;

const codes: ReadonlyMap<string, string> = new Map(
  `${names},${otherNames}`.split(',').map((entry) => [entry.trim().slice(3), entry.trim().slice(0, 2)] as const),
);

/**
 * The ISO code of a country by its English name, in any case, with or without article and dots. Null: anything else.
 */
export function countryCodeOf(name: string): string | null {
  const plain = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}|\./gu, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
  return codes.get(plain) ?? null;
}
