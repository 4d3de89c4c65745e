/** Mode, carrier, name and connector. */
export const lines = [
  ['ocean', 'MAEU', 'Maersk', 'maersk'],
  ['ocean', 'MSCU', 'MSC', 'msc'],
  ['ocean', 'CMDU', 'CMA CGM', 'cma-cgm'],
  ['ocean', 'HLCU', 'Hapag-Lloyd', 'hapag-lloyd'],
  ['ocean', 'ONEY', 'Ocean Network Express', 'one'],
  ['ocean', 'EGLV', 'Evergreen', 'evergreen'],
  ['ocean', 'ZIMU', 'ZIM', 'zim'],
  ['ocean', 'YMLU', 'Yang Ming', 'yang-ming'],
  ['parcel', 'ups', 'UPS', 'ups'],
  ['parcel', 'fedex', 'FedEx', 'fedex'],
  ['parcel', 'dhl', 'DHL', 'dhl'],
  ['air', 'LH', 'Lufthansa Cargo', 'lufthansa-cargo'],
  ['road', 'EXLA', 'Estes', 'nmfta-dsdc'],
] as const;

/** UN/LOCODE and name. */
export const ports =
  `CNSHA Shanghai,SGSIN Singapore,NLRTM Rotterdam,CNNGB Ningbo,KRPUS Busan,USLAX Los Angeles,DEHAM Hamburg,BEANR Antwerp,
HKHKG Hong Kong,USLGB Long Beach,MYPKG Port Klang,AEJEA Jebel Ali,CNTAO Qingdao,CNSZX Shenzhen,TWKHH Kaohsiung,USNYC New York,
LKCMB Colombo,VNSGN Ho Chi Minh City,THLCH Laem Chabang,JPTYO Tokyo,ESVLC Valencia,ESALG Algeciras,GRPIR Piraeus,INNSA Nhava Sheva,
GBFXT Felixstowe,USSAV Savannah,BRSSZ Santos,PABLB Balboa,MATNG Tangier,EGPSD Port Said,SAJED Jeddah,DEBRV Bremerhaven,FRLEH Le Havre,
ITGOA Genoa,TRAMR Ambarli,MXZLO Manzanillo,COCTG Cartagena,PECLL Callao,CLSAI San Antonio,ZADUR Durban,KEMBA Mombasa,NGAPP Apapa,
AUSYD Sydney,AUMEL Melbourne,NZAKL Auckland,JPYOK Yokohama,JPUKB Kobe,IDJKT Jakarta,PHMNL Manila,BDCGP Chittagong,PKKHI Karachi,
CAVAN Vancouver,CAMTR Montreal,USSEA Seattle,USHOU Houston,USCHS Charleston,PLGDN Gdansk,SEGOT Gothenburg,DKAAR Aarhus,PTSIE Sines`
    .split(',')
    .map((line) => line.trim())
    .map((line) => [line.slice(0, 5), line.slice(6)] as const);
