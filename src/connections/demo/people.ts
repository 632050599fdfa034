// The demo account's network: two hundred fictional people and the fictional companies where they work.

export interface DemoPerson {
  readonly name: string
  readonly givenName: string
  readonly familyName: string
  readonly company: string | null
  readonly title: string | null
  readonly location: string
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly profileUrl: string | null
  /** YYYY-MM-DD */
  readonly connectedOn: string
  readonly tags: readonly string[]
  readonly notes: readonly { readonly on: string; readonly text: string }[]
}

interface DemoCompany {
  readonly name: string
  readonly sector: string
  readonly city: string
}

// name | sector | home city
const COMPANIES = `
Aruvaya Water | water treatment | Chennai, India
Andarela | travel | Bogotá, Colombia
Atelier Sorbier | architecture | Paris, France
Baobridge Capital | venture capital | Lagos, Nigeria
Bayou Lantern Fund | philanthropy | New Orleans, United States
Bluethistle Care | elder care | Glasgow, United Kingdom
Bosphora Pay | payments | Istanbul, Türkiye
Brasklet | payments | Stockholm, Sweden
Cascadry | timber buildings | Portland, United States
Cedarmoor Clinic | health care | Beirut, Lebanon
Clinic Without Corridors | nonprofit | Athens, Greece
Cobrelindo | mining software | Santiago, Chile
Costaplena | hospitality software | Barcelona, Spain
Daugavine | cybersecurity | Riga, Latvia
Donauwende Fonds | impact investing | Vienna, Austria
Dunmarra Institute | research | Edinburgh, United Kingdom
Érablière Nord Labs | machine learning | Montréal, Canada
Firnblick | mountain safety | Innsbruck, Austria
Fund for Shared Code | nonprofit | Amsterdam, Netherlands
Gjenklang Audio | audio hardware | Bergen, Norway
Halvorsund Energi | grid software | Oslo, Norway
Hansavoog | digital identity | Tallinn, Estonia
Harbourward Post | journalism | London, United Kingdom
Hoshikaze Labs | materials | Tokyo, Japan
Jacarandia Media | media | São Paulo, Brazil
Juniperline Rail | transport | Toronto, Canada
Karpatica Foods | food | Cluj-Napoca, Romania
Kaveripath Schools | education | Bengaluru, India
Kesselhain Ventures | venture capital | Berlin, Germany
Kolibrant | analytics | Zürich, Switzerland
Lagunare | building restoration | Venice, Italy
Loessland Bank | banking | Omaha, United States
Lotusferry | electric ferries | Ho Chi Minh City, Vietnam
Lumafold | battery materials | Munich, Germany
Mangueiral Biotech | biotechnology | Recife, Brazil
Marrakoute Logistics | logistics | Casablanca, Morocco
Monsoonery | weather data | Mumbai, India
Mosswright | heat pumps | Manchester, United Kingdom
Ñandubay Studio | design | Buenos Aires, Argentina
Negevine Irrigation | irrigation | Tel Aviv, Israel
Nimbara Health | digital health | Nairobi, Kenya
North Isles Energy Agency | public sector | Aberdeen, United Kingdom
Nusaterang | solar finance | Jakarta, Indonesia
Odrana Games | games | Wrocław, Poland
Okolade Farms | agriculture | Ibadan, Nigeria
Orrery & Finch | design | London, United Kingdom
Palayan Finance | microfinance | Manila, Philippines
Pannonika | music technology | Budapest, Hungary
Peregrane Robotics | warehouse robotics | Boston, United States
Petit Phare | marine sensors | Nantes, France
Piedra Honda Capital | venture capital | Mexico City, Mexico
Pinyonworks | wildfire detection | Denver, United States
Polderglas | greenhouse technology | Rotterdam, Netherlands
Quaysound | podcasts | Dublin, Ireland
Quetzalmar Coffee | coffee trade | Guatemala City, Guatemala
Ravensholt University | research | Utrecht, Netherlands
Saebyeokgil Mobility | mobility | Seoul, South Korea
Saimaara | forestry data | Helsinki, Finland
Saltmarrow | food technology | Lisbon, Portugal
Sandhollow Semiconductors | semiconductors | Austin, United States
Scheldewind | offshore wind | Antwerp, Belgium
Senate Office for Heat Transition | public sector | Berlin, Germany
Skerryvane Mutual | insurance | Dublin, Ireland
Sljemeon | drone mapping | Zagreb, Croatia
Steppewind | wind power | Almaty, Kazakhstan
Straitwise | maritime software | Singapore
Tauiroa Forestry | forestry | Wellington, New Zealand
Terraquill | carbon accounting | Copenhagen, Denmark
Tessmark Talent | recruiting | London, United Kingdom
Triglavia Optics | optics | Ljubljana, Slovenia
Vantorre Legal | law | Brussels, Belgium
Vltavion | artificial intelligence | Prague, Czechia
Wiślanka Data | data platforms | Kraków, Poland
Yarrambee Solar | rooftop solar | Melbourne, Australia
Zephyrine Aero | aviation | Toulouse, France
`

// given | family | company | title | location (empty: the company's city) | connected on | tags | has
//
// "-" means no company or no title. Has: w work email, h home email, p phone, u profile page. A name
// in another script is followed by "~" and its Latin spelling, used for emails. The indented lines
// below a person are Robin's notes about them.
const PEOPLE = `
Jonas | Vogelsang | Kesselhain Ventures | General Partner | | 2019-03-14 | investor climate | wpu
  2019-03-15 Sat next to him on the delayed night train from Basel. Writes first cheques of 300 to 800k for heat and grid hardware, leads about six rounds a year.
  2025-11-20 Read our deck over lunch in Kreuzberg and marked up the whole thing. Says come back once two utilities are paying; he would open the round himself.
Mareike | Dombrowski | Kesselhain Ventures | Principal | | 2021-06-02 | investor met-at-conference | wpu
  2023-02-09 Does the real diligence there. Ask her which numbers the partners will poke at before pitching anyone on the team.
  2026-04-23 Moves to the growth fund in July. Until then she can still take a seed case to the Monday meeting.
Cem | Aydınoğlu | Kesselhain Ventures | Venture Partner | | 2020-10-11 | investor founder mentor | hu
  2024-05-16 Sold his second company and now coaches founders through term sheets two mornings a week from a café on Maybachufer. Never charges, likes good pastry.
  2026-07-01 His daughter Defne starts at the school in Lund, he will be over every other month.
Friederike | Stahnsdorf | Kesselhain Ventures | Head of Platform | | 2024-05-28 | hiring | wu
Lucía | Etxeberria | Kesselhain Ventures | Operating Partner, Hardware | | 2021-11-04 | advisor climate | wu
  2022-03-01 Spent twelve years running a stamping plant in Vitoria. Best person I know on what happens between prototype ten and prototype one thousand.
Oksana | Hrynevych | Kesselhain Ventures | Chief Financial Officer | | 2024-04-22 | | -
Benedikt | Sauerbier | Kesselhain Ventures | Analyst, Energy | | 2025-09-15 | energy follow-up | u
  2025-09-16 Fresh out of TU, sharp on district heating economics. Wants a site visit to the Lund pilot; promised one in spring.
Ingrid | Solbakken | Halvorsund Energi | Chief Executive | | 2016-02-08 | energy mentor | whu
  2018-06-29 My boss for two years and the reason I learned to say no in meetings. Twins born in May, send something knitted.
  2026-01-12 Stepping down in the autumn and looking for one or two boards, preferably somewhere with harbours.
Håkon | Brekkestø | Halvorsund Energi | Chief Technology Officer | | 2016-02-11 | energy | wu
  2021-09-03 Knows every substation operator between Bodø and Malmö by first name. Ask for the introduction to the Trøndelag people.
Siv | Tangvald | Halvorsund Energi | Senior Data Engineer | Trondheim, Norway | 2016-08-23 | | u
Eirik | Nordahl-Mbeki | Halvorsund Energi | Staff Engineer, Forecasting | | 2017-01-30 | energy | wu
  2019-12-02 Wrote the load model everyone there still depends on. Plays bass in a terrible jazz trio and means every note.
Marit | Aaslund | Halvorsund Energi | Head of Regulatory Affairs | | 2016-05-17 | policy energy | w
  2024-10-08 Explained the new flexibility tariff to me in eleven minutes on the phone. Happy to do the same for any team we back.
Jørn | Kvammen | Gjenklang Audio | Acoustics Lead | | 2017-04-04 | | h
Aisha | Warsame | Halvorsund Energi | Product Designer | | 2017-09-12 | design | wu
Pål | Hegdahl | Halvorsund Energi | Key Account Director | | 2016-11-25 | customer | u
Astrid | Wennerholm | Brasklet | Co-founder and CEO | | 2014-08-19 | founder fintech ex-brasklet | whpu
  2015-02-03 Hired me after a forty minute argument about refunds. We still disagree.
  2025-03-27 Quietly backing friends' companies with her own money now, 25 to 50k at a time. Prefers to come in before anyone else has.
Nils | Åkerblom | Brasklet | Co-founder, Engineering | | 2014-09-01 | founder fintech ex-brasklet | wu
Farideh | Rostami | Brasklet | VP Product | | 2014-09-15 | ex-brasklet mentor | wp
  2020-05-06 Taught me to write the press release first. Her rule: if you cannot say who is angry today, there is no product.
  2026-02-17 Thinking about leaving in the summer. Said the word sabbatical three times and the word company once.
Gustaf | Ljungdahl | Brasklet | Principal Engineer, Ledger | Uppsala, Sweden | 2015-01-12 | ex-brasklet | u
Yusra | Haddad | Brasklet | Head of Risk | | 2015-03-20 | ex-brasklet fintech | wu
  2023-11-14 Offered to look over any model that decides who gets credit. Wants to leave cards behind and work on something her kids would recognize.
Mattias | Öhrn | Brasklet | Engineering Manager | Göteborg, Sweden | 2015-06-08 | ex-brasklet hiring | hu
Linnea | Backström | Brasklet | Staff Designer | | 2016-01-25 | ex-brasklet design | wpu
  2024-02-19 Going down to three days a week after parental leave, would take on a small identity job for the right people.
Dragan | Petrović | Brasklet | Site Reliability Engineer | Belgrade, Serbia | 2015-10-02 | ex-brasklet | u
Hanna-Kaisa | Virolainen | Brasklet | General Counsel | | 2015-04-14 | legal ex-brasklet | w
  2022-08-31 Walked me through the shareholder agreement line by line in her kitchen. Owes me nothing, I owe her a sauna weekend.
Imogen | Tarrant | Orrery & Finch | Founding Partner | | 2017-05-22 | design founder | whpu
  2017-05-23 Judged the same student prize in Eindhoven. She picks the quiet project every time and is usually right.
  2025-01-22 Closing the Friday studio hours for lack of people. I said I would send her three young teams.
Kwabena | Asare-Holt | Orrery & Finch | Creative Director | | 2018-02-14 | design speaker | pu
  2023-06-20 Gave the best talk of the week, about designing a thermostat for his grandmother in Kumasi. Would do a workshop for travel costs.
Rosalind | Pettifer | Orrery & Finch | Design Researcher | Bristol, United Kingdom | 2014-04-08 | design research | u
Matteo | Bellandi | Orrery & Finch | Industrial Designer | | 2019-04-16 | design | wpu
  2021-02-25 Made the enclosure for the Mosswright sensor look like it belonged in a hallway. Moving back to Faenza one day to make pots.
Saoirse | Ní Dhuibhir | Orrery & Finch | Service Designer | | 2020-09-09 | design | hu
Tunde | Abiodun-Clarke | Orrery & Finch | Studio Manager | | 2024-11-12 | | wp
Phoebe | Lanyon | Orrery & Finch | Junior Designer | | 2024-10-01 | design follow-up | u
  2024-10-02 Sent a portfolio with one page in it. Promised her a proper crit before Christmas, do not forget.
Wanjiru | Kamau-Reid | Nimbara Health | Founder and CEO | | 2018-11-06 | founder health east-africa | wu
  2018-11-07 Was a ward nurse for nine years, built the first version of the triage tool on night shifts. Talks about queues the way others talk about art.
  2024-07-15 Forty clinics now. Would love to meet anyone who finances solar fridges for vaccines.
  2026-05-19 Raising a larger round, wants it half from East Africa. Oluwatobi should hear about it from me, not from the papers.
Otieno | Mbogori | Nimbara Health | Chief Medical Officer | | 2019-02-26 | health east-africa | -
Halima | Abdi Noor | Nimbara Health | Head of Clinics | Mombasa, Kenya | 2019-02-27 | health east-africa | u
  2025-05-04 Says outages cost her more than salaries do. Good first site for the battery people if they can live with salt air.
Grace | Nakibuuka | Nimbara Health | Country Director, Uganda | Kampala, Uganda | 2020-03-03 | health east-africa | wu
Tesfaye | Gebremariam | Nimbara Health | Data Scientist | Addis Ababa, Ethiopia | 2021-07-28 | research east-africa | u
Léonie | Uwimana | Nimbara Health | Partnerships Manager | Kigali, Rwanda | 2022-05-11 | east-africa met-at-conference | w
  2022-05-12 Organized the Kigali side event in four days flat. If anything needs a minister in the room, ask her.
Inês | Carvalhal | Saltmarrow | Founder | | 2020-02-17 | founder food | wu
  2020-02-20 Turns seaweed farm leftovers into stock cubes. Gave me a jar, we finished it in two days.
  2025-08-08 Needs someone who has sold into Nordic supermarkets. I said Camilla in Copenhagen, make that introduction.
Duarte | Vilhena | Saltmarrow | Head of Operations | Setúbal, Portugal | 2025-02-04 | food | u
Beatriz | Monforte | Saltmarrow | Food Scientist | | 2021-05-27 | food research | u
Tomé | Quaresma | Saltmarrow | Commercial Director | | 2025-03-18 | food customer | w
Elif | Karadağlı | Saltmarrow | Brand Designer | Porto, Portugal | 2022-09-19 | design food | hu
Rui | Salgueiral | Saltmarrow | Aquaculture Lead | Aveiro, Portugal | 2023-10-10 | food climate | u
  2023-10-12 Took us out on the boat at five in the morning and explained kelp ropes. My Ebba now wants to be a diver.
Priya | Venkataraman | Peregrane Robotics | VP Engineering | | 2018-04-24 | hiring | wpu
  2018-04-25 Met through the mentoring circle. Interviews by giving people a broken gripper and a drawer of parts.
Caleb | Worthing | Peregrane Robotics | Co-founder | | 2018-04-26 | founder | wu
  2022-06-08 Disagrees with Priya about everything except quality. Vegetarian, allergic to walnuts, remember for the dinner.
Mei-Ling | Cheung | Peregrane Robotics | Controls Engineer | Somerville, United States | 2014-10-21 | | u
DeShawn | Pruitt | Peregrane Robotics | Director of Manufacturing | Worcester, United States | 2019-10-21 | advisor | wpu
  2024-01-30 Knows which contract manufacturers take small runs and which only say they do. Keeps an actual list, ask nicely.
Anneliese | Vandermolen | Peregrane Robotics | Technical Recruiter | | 2025-04-29 | hiring | u
Rafael | Quiñones | Peregrane Robotics | Robotics Software Engineer | | 2025-05-20 | | h
Hye-jin | Bae | Peregrane Robotics | Safety Engineer | Cambridge, United States | 2023-03-07 | research | u
Gideon | Ashworth-Lyle | Tessmark Talent | Managing Partner | | 2017-10-03 | hiring | wpu
  2018-03-22 Expensive and thorough. Use him for a chief executive, not for anyone else.
Parveen | Sandhu | Tessmark Talent | Partner, Climate and Energy | | 2019-01-09 | hiring climate | wpu
  2019-01-10 Found us Klara in nine days. Will do a first call for free if the brief is honest about pay.
  2021-05-11 Her husband Tej restores canal boats, we are invited for the first launch.
  2026-03-18 Says heat pump installers are now harder to hire than machine learning people.
Camille | Dufresnoy | Tessmark Talent | Talent Partner, France | Lyon, France | 2025-06-10 | hiring | u
Ngozi | Umeh-Barton | Tessmark Talent | Interim Executives Lead | | 2022-02-22 | hiring alumni | hu
  2022-02-23 Two years above me at Ravensholt, same flooded corridor. Places finance directors for six months at a time, handy just before an audit or a round.
Laurens | Vantorre | Vantorre Legal | Founding Partner | | 2018-09-11 | legal | wu
Aurélie | Deschuyter | Vantorre Legal | Partner, Venture Transactions | | 2019-05-20 | legal investor | u
  2019-05-21 Drafts for both sides so she knows where the bodies are. Fixed price for a seed deal, and she picks up on Sundays.
Mehdi | Benchekroun | Vantorre Legal | Counsel, State Aid | | 2020-11-16 | legal policy | -
Floor | Hoogendijk | Vantorre Legal | Senior Associate, Patents | Ghent, Belgium | 2021-04-08 | legal | u
  2023-09-25 Filed the membrane patent with us. Warned that we talk too much at conferences, which is fair.
Katarzyna | Młynarczyk | Vantorre Legal | Associate, Employment | | 2022-06-14 | legal | wu
Dieter | Kranzfelder | Lumafold | Co-founder and CTO | | 2020-01-28 | founder energy climate | wpu
  2022-10-19 Electrodes folded like paper. Cannot explain it to anyone without a degree, needs a commercial twin.
Anna | Müller | Lumafold | Head of Pilot Line | Augsburg, Germany | 2025-07-08 | energy | u
Sunniva | Hartwigsen | Lumafold | Commercial Director | | 2023-04-03 | energy | wpu
  2023-04-04 She is the commercial twin. Introduced them myself, quite proud of that one.
Kofi | Debrah | Lumafold | Materials Scientist | | 2022-07-21 | research alumni | u
Helga | Sigurðardóttir | Lumafold | Quality Lead | | 2024-06-10 | | u
Rebecca | Ainsley | Mosswright | Founder | | 2019-07-02 | founder climate energy | wpu
  2019-07-03 Former plumber, swears like one. Installs a heat pump in a terrace house in a day and a half.
  2022-11-15 Warehouse flooded, no one hurt, eleven units lost. Sent cake and the name of a loss adjuster.
  2026-06-09 Order book full to February. Wants to talk about a second depot, maybe Leeds, maybe Newcastle.
Imran | Choudhury | Mosswright | Operations Director | | 2020-08-18 | energy | wu
Bethan | Prydderch | Mosswright | Training Manager | Wrexham, United Kingdom | 2025-08-19 | | u
Declan | Maguire-Osei | Mosswright | Lead Firmware Engineer | Sheffield, United Kingdom | 2022-12-06 | hiring | hu
  2022-12-07 Hiring two embedded people and will train, does not care where they studied.
Camilla | Thorsager | Terraquill | Chief Commercial Officer | | 2019-09-24 | climate customer | wu
  2021-11-09 Sold oat drinks into every supermarket chain north of Hamburg before this. Generous with her contacts if you are prepared.
Søren | Ravnkilde | Terraquill | Co-founder | | 2019-09-25 | founder climate | whu
  2024-03-12 Lives ten minutes across the bridge. Our kids are in the same sailing club, easiest to catch him on the jetty.
Asger | Bloch-Tvede | Terraquill | Lead Methodologist | Aarhus, Denmark | 2020-12-01 | climate research | u
Yaa | Frimpong | Terraquill | Customer Success Lead | | 2024-08-27 | | u
Oluwatobi | Ekundayo | Baobridge Capital | Managing Partner | | 2020-01-15 | investor | w
  2020-01-16 Uncle Emeka's old classmate. Invests across West Africa, mostly power and logistics, and reads every memo twice.
Amaka | Nwachukwu-Bright | Baobridge Capital | Venture Partner | London, United Kingdom | 2021-05-06 | investor angel | wpu
  2025-02-11 Offered to hold a small dinner for us when we are next raising. Six people, no slides.
Chidi | Onwumere | Baobridge Capital | Associate | | 2025-10-07 | investor | u
Ana Sofía | Villaseñor | Piedra Honda Capital | Partner | | 2021-03-25 | investor climate | wu
  2021-03-26 Spanish-language climate funds are a small village and she is the mayor.
Renata | Ocampo Ruelas | Piedra Honda Capital | Legal Director | | 2024-02-06 | legal | -
Elspeth | Carnduff | Dunmarra Institute | Professor of Peatland Science | | 2015-11-17 | research mentor climate | wpu
  2016-04-11 Walked me across a bog for six hours and ruined my boots. Everything I know about carbon in soil is from that day.
  2024-11-05 Retires in 2027. Would like someone to take over the monitoring network, it needs about 40k a year.
Ruaridh | MacAskill-Iyer | Dunmarra Institute | Research Fellow | | 2020-05-19 | research climate | u
Xiomara | Delgadillo | Dunmarra Institute | Hydrologist | | 2022-03-29 | research | wu
Marieke | van Oosterzee | Ravensholt University | Associate Professor, Energy Systems | | 2014-02-03 | alumni research energy | u
  2019-10-14 Supervised my thesis, still sends corrections. Looking for companies that will host master's students from February.
Bram | Koelewijn | Ravensholt University | Technology Transfer Officer | | 2017-06-21 | alumni legal | wu
  2023-05-30 The person to call about spin-out terms. Five per cent, no board seat, if you ask before signing anything.
Adaeze | Okonjo | Ravensholt University | Postdoctoral Researcher | | 2025-11-11 | alumni research | u
Sjoerd | Wiersinga | Ravensholt University | Alumni Relations | | 2014-06-30 | alumni | -
Margot | Ellery | Harbourward Post | Climate Editor | | 2018-03-08 | press climate | whu
  2018-03-09 Fair but never off the record unless you say so first. Likes numbers she can check herself.
  2025-10-21 Planning a long piece on who pays for cold homes. Said I would put her in touch with Rebecca's customers.
Femi | Adesanya | Harbourward Post | Technology Correspondent | | 2020-07-07 | press | u
Niamh | Corrigan | Harbourward Post | Data Journalist | Belfast, United Kingdom | 2022-08-16 | press research | hu
Rolf | Abendroth | Harbourward Post | Germany Correspondent | Berlin, Germany | 2023-02-28 | press berlin | w
  2023-03-01 Writes the Saturday newsletter that every founder in Mitte pretends not to read.
Sabine | Kortmann | Senate Office for Heat Transition | Head of Municipal Programmes | | 2022-09-13 | policy berlin climate | wp
  2022-09-14 Has forty schools to get off gas by 2030 and a budget line no one applies for. Tell every heat team we meet.
Thorsten | Güldner | Senate Office for Heat Transition | Procurement Adviser | | 2025-12-02 | policy berlin | w
Nilüfer | Özbek-Brandt | Senate Office for Heat Transition | Grant Programme Manager | | 2024-09-18 | policy berlin | wu
  2024-09-19 Non-dilutive money up to 200k for pilots within the city ring. Applications read in March and September, she answers the phone herself.
Fiona | Drever | North Isles Energy Agency | Programme Director | Kirkwall, United Kingdom | 2017-08-29 | policy energy | wpu
  2017-08-30 More wind than cable on the islands, so she is glad of anyone who can use power at three in the morning.
Magnus | Isbister | North Isles Energy Agency | Tidal Projects Officer | Lerwick, United Kingdom | 2015-08-25 | energy | u
美咲~misaki | 田中~tanaka | Hoshikaze Labs | Research Director | | 2019-10-29 | research met-at-conference | wu
  2019-10-30 Shared a taxi in the typhoon. Her lab makes aerogel panels thin enough for old wooden houses.
健太~kenta | 小野寺~onodera | Hoshikaze Labs | Business Development | Osaka, Japan | 2022-11-15 | | u
Haruka | Shimabukuro | Hoshikaze Labs | Materials Engineer | | 2026-01-20 | research | -
민서~minseo | 박~park | Saebyeokgil Mobility | Co-founder | | 2021-10-07 | founder | u
  2021-10-08 Swappable batteries for delivery scooters, 900 cabinets in Seoul already. Curious about Copenhagen.
Jae-won | Seo | Saebyeokgil Mobility | Head of Hardware | Incheon, South Korea | 2026-02-10 | energy | u
Meenakshi | Sundaresan | Aruvaya Water | Founder | | 2017-12-05 | founder climate | wu
  2017-12-06 Runs water kiosks that pay for themselves in fourteen months. Her mother does the accounts and is terrifying.
  2023-08-17 Looking for membranes that survive hard water. Floor might know who holds the patents.
Karthik | Annamalai | Aruvaya Water | Process Engineer | Coimbatore, India | 2020-04-30 | | u
Aditi | Deshmukh-Rao | Monsoonery | Co-founder and Chief Scientist | Pune, India | 2020-10-20 | founder research climate | wu
  2020-10-21 Forecasts hail for grape growers. If we ever do crop insurance again, she is the first call.
अनन्या~ananya | कुलकर्णी~kulkarni | Monsoonery | Meteorologist | Nagpur, India | 2024-03-20 | research | u
Lakshmi | Prabhu | Kaveripath Schools | Principal | | 2018-01-22 | family-friend | h
Fraser | Galloway-Singh | Bluethistle Care | Chief Executive | | 2019-08-06 | health founder | wpu
  2023-12-12 His care homes lose a fifth of income to heating. Wants a pilot in Paisley before next winter and will share the meter data.
Morag | Tulloch | Bluethistle Care | Director of Nursing | Stirling, United Kingdom | 2021-06-17 | health | u
Ольга~olha | Ткаченко~tkachenko | Wiślanka Data | Head of Platform | | 2022-05-24 | hiring | w
  2022-05-25 Came from Kharkiv with a laptop and two cats. Rebuilt the whole ingestion layer in her first quarter.
Michał | Brzezicki | Wiślanka Data | Founder | | 2015-12-01 | founder | wu
Zofia | Wróblewska-Ng | Wiślanka Data | Developer Advocate | Warsaw, Poland | 2023-10-24 | speaker | u
  2023-10-25 Explains streaming with sandwiches. Asked whether our open sensor data could be used for a hackathon.
Bartosz | Łęgowski | Odrana Games | Game Director | | 2019-02-05 | neighbour | h
Jagoda | Pietruszka | Odrana Games | Narrative Designer | | 2026-03-03 | design | u
Giulia | Zambelli-Foscarin | Lagunare | Conservation Architect | | 2018-06-05 | design | wu
  2018-06-06 Insulates palaces without the plaster noticing. Knows the heritage office people in three cities.
Alvise | Trevisanato | Lagunare | Project Manager | Padua, Italy | 2022-02-08 | | u
Théo | Kerjean | Petit Phare | Founder | | 2021-04-20 | founder climate | wpu
  2021-04-21 Builds buoys that cost less than a bicycle. Surfs before every board meeting.
Maëlle | Le Goff-Diallo | Petit Phare | Oceanographer | Brest, France | 2026-03-24 | research climate | pu
Capucine | Artaud | Atelier Sorbier | Architect, Associate | | 2017-03-13 | design | wpu
Bakary | Sissoko | Atelier Sorbier | Building Engineer | Montreuil, France | 2020-09-22 | design climate | u
  2020-09-23 Cools school yards with shade and earth rather than machines. Has a short paper on it worth sending to Sabine's team.
Eszter | Halmágyi | Pannonika | Product Manager | | 2016-05-10 | | u
Zoltán | Kerekes | Pannonika | Chief Executive | | 2020-02-25 | founder | u
Veronika | Hrubešová | Vltavion | Machine Learning Lead | | 2021-09-07 | research | wu
  2025-04-14 Tired of ads and would move for a climate problem with real data. Two days' notice, speaks Danish.
Ondřej | Vacek | Vltavion | Founder | Brno, Czechia | 2021-09-08 | founder | u
Leopold | Ehrenhöfer | Donauwende Fonds | Investment Director | | 2018-11-20 | investor climate | wu
  2018-11-21 Patient money, twelve-year fund. Will not look at anything without a second customer, but his answers come within a week.
Magdalena | Strohmayer | Donauwende Fonds | Impact Analyst | Graz, Austria | 2026-04-14 | investor research | u
Andri | Zgraggen | Kolibrant | Chief Data Officer | | 2017-02-15 | met-at-conference | wu
Seraina | Caduff | Kolibrant | Managing Director | Chur, Switzerland | 2019-12-10 | customer | u
  2022-05-03 First paying client of the studio. Sends a crate of apricots each July and expects a call, not a card.
Triinu | Kaljuvee | Hansavoog | Chief Product Officer | | 2018-05-29 | met-at-conference policy | wu
  2018-05-30 Helped write the residency system. Can tell within a minute if an identity flow will survive contact with a pensioner.
  2025-10-02 Asked whether I would speak in Tallinn about boring infrastructure. Said yes, need a title by March.
Rasmus | Põldma | Hansavoog | Security Engineer | Tartu, Estonia | 2020-11-03 | | u
Aino | Hietamäki | Saimaara | Chief Executive | Joensuu, Finland | 2017-09-26 | founder climate | u
Veikko | Rautiainen | Saimaara | Remote Sensing Lead | | 2021-01-21 | research | u
  2021-01-22 Counts spruce from orbit and checks by bicycle. Happy to share the bark beetle layer with other Nordics.
Liadan | Ó Súilleabháin | Skerryvane Mutual | Head of Climate Risk | Cork, Ireland | 2020-03-10 | climate fintech | wpu
  2024-08-20 Prices flood for a living and cannot get good river data under Limerick. Possible customer for the buoys?
Conor | Tynan-Wójcik | Skerryvane Mutual | Underwriting Manager | | 2026-05-05 | fintech | pu
Zeynep | Tunçbilek | Bosphora Pay | Chief Operating Officer | | 2016-09-14 | fintech | wu
  2016-09-15 Opened three countries in a year with eleven people. I call her whenever a plan seems too slow.
Barış | Sezgin | Bosphora Pay | Compliance Lead | Ankara, Türkiye | 2019-04-11 | fintech legal | u
Noa | Ben-Ezra | Negevine Irrigation | Agronomist | Haifa, Israel | 2016-10-18 | food research | wu
Yotam | Karmeli | Negevine Irrigation | - | | 2021-11-23 | food | u
Ignacio | Larraguibel | Cobrelindo | Founder | | 2019-06-18 | founder | w
  2019-06-19 Tracks tailings dams with old phones glued to poles. Wants introductions to insurers, Liadan would be ideal.
Constanza | Huenchumil | Cobrelindo | Community Relations Lead | Antofagasta, Chile | 2026-06-02 | policy | u
Thaís | Albuquerque Nóbrega | Mangueiral Biotech | Founder and Chief Scientist | | 2021-02-02 | founder research health | wu
  2021-02-03 Enzymes from mangrove mud that eat cooking oil. Danced me off the floor at the Recife closing party.
João Pedro | Cavalcante | Jacarandia Media | Executive Producer | | 2018-12-04 | press | u
Luiza | Tanaka-Prado | Jacarandia Media | Documentary Director | Rio de Janeiro, Brazil | 2020-06-11 | press climate | hu
  2023-04-18 Finishing a film on river pilots in Pará. Short of one Scandinavian co-producer, ask the Umeå cousins.
Siobhan | Castellanos | Pinyonworks | Chief Executive | | 2020-08-25 | founder climate | wpu
  2020-08-26 Spent eight seasons as a smokejumper. Cameras on ridgelines, alerts in under three minutes.
Wyatt | Begaye | Pinyonworks | Field Engineer | Flagstaff, United States | 2023-01-10 | climate | pu
Ginevra | Holloway | Cascadry | Structural Engineer | | 2019-03-05 | design climate | wpu
Marcus | Tillery-Fong | Cascadry | Founder | Eugene, United States | 2026-06-23 | founder | pu
Cordelia | Batiste | Bayou Lantern Fund | Programme Officer, Resilience | | 2019-11-19 | climate policy | wpu
  2019-11-20 Gives grants of 50 to 150 thousand dollars for storm-proof neighbourhoods, no equity asked. Sings second soprano, ask about the choir.
Hollis | Grantham | Loessland Bank | Agricultural Lending Manager | | 2021-04-29 | food fintech | wp
Trang | Đặng | Lotusferry | Chief Engineer | | 2022-08-09 | energy | wu
  2022-08-10 Charging a ferry in nine minutes between two tides. Knows batteries in brackish air better than any lab.
Quốc Bảo | Nguyễn | Lotusferry | Founder | | 2026-07-14 | founder climate | u
Wei Shan | Tay | Straitwise | Director of Partnerships | | 2018-10-30 | customer | u
Arjun | Pillai-Lim | Straitwise | Staff Engineer | | 2020-12-16 | | u
Dewi | Kusumaningrum | Nusaterang | Chief Executive | | 2021-06-08 | founder energy fintech | u
  2021-06-09 Lends for panels on village roofs in Flores, default rate under two per cent. This is who Wanjiru should meet about fridges.
  2025-06-24 Lost her father in the spring. Back at work, prefers voice messages to mail for now.
Bayu | Hardjosoemarto | Nusaterang | - | Surabaya, Indonesia | 2026-08-11 | fintech | u
Maria Corazon | Evangelista | Palayan Finance | Head of Field Loans | Iloilo, Philippines | 2019-07-23 | fintech | wu
Marama | Tūwhare-Scott | Tauiroa Forestry | General Manager | Rotorua, New Zealand | 2018-02-27 | climate | wu
  2018-02-28 Plants for her great-grandchildren and prices accordingly. Taught me to ask who else belongs to a place before measuring it.
  2024-02-13 Second grandchild. She is in Uppsala for a month from May and asked for a desk with a view of trees.
Callum | Rangihuna | Tauiroa Forestry | Drone Survey Lead | | 2022-03-15 | | u
Bronte | Papadimitriou | Yarrambee Solar | Head of Growth | | 2020-07-14 | energy | wpu
Lachlan | Nguyen-Byrne | Yarrambee Solar | Installer Network Manager | Geelong, Australia | 2021-12-07 | energy | pu
  2021-12-08 Grew from 12 to 300 installers with a phone tree and a barbecue. Rebecca needs an hour with him.
Youssef | El Idrissi Bennani | Marrakoute Logistics | Founder | | 2019-04-30 | founder | u
سلمى~salma | التازي~tazi | Marrakoute Logistics | Head of Fleet | Tangier, Morocco | 2022-11-08 | energy | u
  2022-11-09 Replacing ninety diesel vans in three years and wants to hear from anyone who has lived through it.
Rania | Khoury-Saleh | Cedarmoor Clinic | Paediatrician and Director | | 2017-11-14 | health family-friend | h
Δέσποινα~despina | Μαυρίδη~mavridi | Clinic Without Corridors | Volunteer Coordinator | Thessaloniki, Greece | 2021-03-02 | health | wu
  2021-03-03 Runs forty volunteers from one spreadsheet and a whistle. Could use a designer for a weekend, mention it to Linnea.
Folasade | Ogunbiyi | Okolade Farms | Co-founder | | 2018-03-27 | founder food | w
  2018-03-28 Cold rooms on three wheels. Auntie Ngozi introduced us at the wedding in Enugu and then refused to let us talk shop.
Ibukun | Ajayi-Thorne | Okolade Farms | Agronomy Lead | Abeokuta, Nigeria | 2026-09-15 | food | u
Айгерім~aigerim | Сәрсенова~sarsenova | Steppewind | Project Development Manager | | 2023-05-23 | energy climate | wu
  2023-05-24 Measures wind from horseback where the road ends. Asked for a contact at a Nordic turbine lender.
Wouter | Claeskens | Scheldewind | Offshore Installation Manager | | 2018-07-17 | energy | wu
  2020-02-12 Spends three weeks at sea and three at home, so write on odd weeks. Collects lighthouse stamps.
Hanneke | Bloemsma | Polderglas | Head Grower | Westland, Netherlands | 2019-09-10 | food alumni | u
  2019-09-11 Same study year, left research for tomatoes. Her greenhouse is heated by a server hall next door, best tour in the country.
Jelle | Oosterveer-Kaya | Polderglas | Software Lead | | 2022-05-31 | food | u
Ottilie | Marchbanks | Fund for Shared Code | Executive Director | | 2020-04-07 | policy | wu
  2024-12-03 Pays maintainers of dull but vital software. Offered to read our grant draft before it goes in, loves a clear budget.
  2026-09-08 Draft came back with forty comments and a drawing of a hedgehog. Answer her before the board meets on the 20th.
Isandro | Feliciano | Andarela | Head of Design | Medellín, Colombia | 2019-08-20 | design | u
Valentina | Echeverri | Andarela | Founder | | 2019-08-21 | founder | wu
Ariadna | Puigdevall | Costaplena | VP Marketing | Girona, Spain | 2017-07-11 | speaker | u
Jānis | Ozoliņš-Bērziņš | Daugavine | Incident Response Lead | | 2021-05-18 | | wu
  2024-06-25 Answered at midnight when our form was being hammered and had it quiet by one. Would not take money, likes smoked eel.
Răzvan | Țepeluș | Karpatica Foods | Plant Director | | 2020-01-07 | food | wu
Marko | Hranilović-Babić | Sljemeon | Founder | | 2022-04-12 | founder met-at-conference | u
  2022-04-13 Maps landslides with borrowed drones. Pitched me on a ferry, in the rain, with laminated cards.
Špela | Žagar | Triglavia Optics | Optical Engineer | | 2026-10-20 | research | -
Lena | Hofstätter-Egger | Firnblick | Founder | | 2020-12-08 | founder | w
  2021-02-10 Avalanche sensors the size of a thermos. Her brother guides above Vent and tests them on his own weekends.
Ximena | Quiroga Paz | Ñandubay Studio | Interaction Designer | Montevideo, Uruguay | 2018-04-10 | design | u
Facundo | Iturralde | Ñandubay Studio | Partner | | 2017-08-08 | design founder | wu
  2017-08-09 Shared a desk for a summer in Palermo. Draws maps people want to hang up, charges fairly and late.
Geneviève | Tremblay-Achebe | Érablière Nord Labs | Research Scientist | | 2022-06-21 | research speaker | wu
  2022-06-22 Best answer on the panel was "we do not know yet". Works on small models for people with bad connections.
Nathaniel | Oduya | Juniperline Rail | Chief of Staff | | 2019-10-08 | alumni | wpu
  2025-06-17 Night trains again. He wants Scandinavian operators at the table and will pay for the table.
Marisol | Tzoc Ixcot | Quetzalmar Coffee | Export Manager | Antigua, Guatemala | 2020-02-04 | food | wu
Emmett | Sandoval-Reyes | Sandhollow Semiconductors | Senior Director, Power Devices | | 2018-05-15 | energy | wpu
  2023-10-17 Can get samples of the new switches months early. Asks only for honest test reports, send ours.
Aoife | Brannigan | Quaysound | Host and Producer | | 2021-11-30 | press speaker | wpu
  2021-12-01 Recorded me in a cupboard full of coats. Books guests two months ahead, send her Siobhan from Denver.
Guillaume | Castaing | Zephyrine Aero | Hydrogen Systems Lead | | 2022-09-06 | energy research | wpu
Annegret | Wolfshagen | - | Business angel, formerly plant manager | Potsdam, Germany | 2020-09-01 | angel investor | hpu
  2020-09-02 Sold the family foundry and now puts 50k at a time into teams that make physical things. Hosts a breakfast near Hackescher Markt on first Thursdays; founders leave with two or three more names.
  2026-02-05 Has room for two more this year. Prefers to be shown the thing rather than the slides.
Matthias | Kühnapfel | - | Independent CFO for young companies | Berlin, Germany | 2021-07-06 | berlin advisor | hpu
  2021-07-07 Builds the model, cleans the cap table and sits beside you when the term sheet arrives. Half his clients closed within four months.
Shirin | Golestani-Baum | - | Pitch coach and former dramaturge | Berlin, Germany | 2022-10-25 | berlin speaker | hu
  2022-10-26 Turned our forty slides into nine and a lamp. Coaches teams from the Neukölln accelerators before their demo days.
Anna | Müller | - | Freelance interpreter, German and Swedish | Lübeck, Germany | 2016-06-07 | | h
Birgitta | Stenmark | - | Retired county architect | Lund, Sweden | 2015-05-05 | neighbour mentor | hp
  2015-05-06 Next door with the quinces. Knows everyone who ever approved a building in Skåne and why they regretted it.
Oskar | Fjällgren | - | Carpenter and sauna builder | Umeå, Sweden | 2014-01-20 | family-friend | hp
Chukwuemeka | Okafor | - | Retired civil engineer | Enugu, Nigeria | 2014-01-06 | family-friend mentor | h
  2016-12-27 Uncle Emeka. Built half the bridges we drove over this week and criticised the other half.
Tuulikki | Sarajärvi | - | Illustrator | Rovaniemi, Finland | 2016-03-22 | design | hu
Desmond | Achterberg | - | Independent energy economist | The Hague, Netherlands | 2017-04-18 | energy advisor | hu
  2023-07-04 Charges by the paragraph and is worth it. His note on negative prices saved us from a silly product.
Mirela | Dumitrașcu | - | Freelance grant writer | Brussels, Belgium | 2019-01-29 | climate advisor | hu
  2024-04-09 Eleven European applications, seven wins. Book her before the call opens, after that she is gone.
Kerensa | Trevanion | - | Angel investor and former ship's pilot | Falmouth, United Kingdom | 2021-08-17 | angel investor | hpu
  2021-08-18 Only backs things she could repair at sea. Two tickets a year, answers by postcard.
Rasheeda | Coleman-Vance | - | Executive coach | Atlanta, United States | 2018-08-07 | mentor | hpu
Ji-ho | Lindström-Yoon | - | Between roles, previously Head of Hardware | Malmö, Sweden | 2025-01-14 | hiring follow-up | hpu
  2026-08-25 Took a year off to sail. Ready again from January and wants a small team, knows injection moulding and patience.
Valdís | Þorgeirsdóttir | - | Geothermal consultant | Reykjavík, Iceland | 2017-10-24 | energy climate | hu
  2017-10-25 Took me down a well. Will tell you in one call whether the ground under a town is worth drilling.
Patrick | Mwale-Sørensen | - | - | Lusaka, Zambia | 2026-05-12 | introduced-me | u
  2026-05-13 Friend of Grace in Kampala, hotel lobby introduction. Did not catch what he does, something with mini-grids. Ask.
Gwendolyn | Ashby | - | - | Oxford, United Kingdom | 2024-11-26 | | u
Constantin | Brandauer | - | Master's student, urban planning | Leipzig, Germany | 2026-09-22 | follow-up introduced-me | hu
  2026-10-06 Writing on who decides where heat pipes go. Sabine sent him, wants twenty minutes and a reading list.
`

/** Number ranges that regulators reserve for fiction; they have no real subscribers. */
const PHONES: Readonly<Record<string, readonly [start: string, digits: number]>> = {
  Berlin: ['+49 30 23125 ', 3],
  Munich: ['+49 89 99998 ', 3],
  Manchester: ['+44 161 496 0', 3],
  Glasgow: ['+44 141 496 0', 3],
  Edinburgh: ['+44 131 496 0', 3],
  London: ['+44 20 7946 0', 3],
  Boston: ['+1-617-555-01', 2],
  Denver: ['+1-303-555-01', 2],
  Austin: ['+1-512-555-01', 2],
  Toronto: ['+1-416-555-01', 2],
  Germany: ['+49 176 040690', 2],
  'United Kingdom': ['+44 7700 900', 3],
  'United States': ['+1-202-555-01', 2],
  France: ['+33 1 99 00 ', 4],
  Ireland: ['+353 20 911 0', 3],
  Australia: ['+61 3 5550 0', 3],
  Sweden: ['+46 8 465 004 ', 2],
}

const ORGANIZATIONS = /nonprofit|public sector|research|philanthropy|journalism/

const UNDECOMPOSED: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
}

/** The words of a name as lower-case ASCII, joined by hyphens. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[æðđıłøœßþ]/g, (letter) => UNDECOMPOSED[letter] ?? '')
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

function cellsOf(line: string): string[] {
  return line.split('|').map((cell) => cell.trim())
}

function linesOf(table: string): string[] {
  return table.split('\n').filter((line) => line.trim() !== '')
}

function readCompanies(table: string): DemoCompany[] {
  return linesOf(table).map((line) => {
    const [name = '', sector = '', city = ''] = cellsOf(line)
    return { name, sector, city }
  })
}

function displayName(given: string, family: string): string {
  if (/\p{Script=Han}/u.test(family)) return `${family} ${given}`
  if (/\p{Script=Hangul}/u.test(family)) return family + given
  return `${given} ${family}`
}

/** A company email in that company's style: first.last, f.last or first. */
function workEmail(given: string, family: string, company: DemoCompany): string {
  const domain = slugOf(company.name)
  const ending = ORGANIZATIONS.test(company.sector) ? 'example.org' : 'example.com'
  const style = domain.length % 3
  const first = style === 1 ? given.slice(0, 1) : given
  const local = style === 2 ? given : `${first}.${family}`
  return `${local}@${domain}.${ending}`
}

function phoneIn(location: string, index: number): string {
  const [city = '', country = ''] = location.split(', ')
  const range = PHONES[city] ?? PHONES[country]
  if (range === undefined) throw new Error(`no fictional phone range for ${location}`)
  const [start, digits] = range
  const number = (index * 37) % 10 ** digits
  return start + String(number).padStart(digits, '0')
}

function readPeople(table: string, companies: ReadonlyMap<string, DemoCompany>): DemoPerson[] {
  const blocks: { line: string; notes: { on: string; text: string }[] }[] = []
  for (const line of linesOf(table)) {
    if (!line.startsWith('  ')) {
      blocks.push({ line, notes: [] })
      continue
    }
    const note = line.trim()
    blocks.at(-1)?.notes.push({ on: note.slice(0, 10), text: note.slice(11) })
  }

  const slugs = new Set<string>()
  return blocks.map(({ line, notes }, index) => {
    const [first = '', last = '', employer = '', title = '', place = '', on = '', tags, has = ''] =
      cellsOf(line)
    const [givenName = '', givenLatin = givenName] = first.split('~')
    const [familyName = '', familyLatin = familyName] = last.split('~')
    const company = companies.get(employer)
    if (company === undefined && employer !== '-') throw new Error(`unknown company ${employer}`)
    const location = place || (company?.city ?? '')

    const given = slugOf(givenLatin)
    const family = slugOf(familyLatin)
    const plain = `${given}-${family}`
    const slug = slugs.has(plain) ? `${plain}-2` : plain
    slugs.add(slug)

    const emails: string[] = []
    if (has.includes('w') && company) emails.push(workEmail(given, family, company))
    if (has.includes('h')) emails.push(`${given}.${family}@post.example.net`)
    return {
      name: displayName(givenName, familyName),
      givenName,
      familyName,
      company: company?.name ?? null,
      title: title === '-' ? null : title,
      location,
      emails,
      phones: has.includes('p') ? [phoneIn(location, index)] : [],
      profileUrl: has.includes('u') ? `https://www.linkedin.com/in/${slug}-demo` : null,
      connectedOn: on,
      tags: tags ? tags.split(' ') : [],
      notes,
    }
  })
}

export const DEMO_COMPANIES: readonly DemoCompany[] = readCompanies(COMPANIES)

export const DEMO_PEOPLE: readonly DemoPerson[] = readPeople(
  PEOPLE,
  new Map(DEMO_COMPANIES.map((company) => [company.name, company])),
)
