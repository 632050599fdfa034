// Names of columns in Catalan, Estonian, Latvian, Lithuanian, Icelandic, Slovak, Slovenian, Croatian, Serbian, Bulgarian,
// Persian, Hindi, Thai and Malay, and of a few programs. In the format of `column-names.ts`.

export const FURTHER_COLUMN_NAMES: readonly (readonly [target: string, names: string])[] = [
  [
    'name',
    'nom i cognoms|nimi perekonnanimi|vārds uzvārds|vārds un uzvārds|vardas pavardė|vardas ir pavardė|nafn|fullt nafn|ime in priimek|ime i prezime|име и презиме|име и фамилия|نام و نام خانوادگی|نام کامل|nama penuh|ชื่อ สกุล|ชื่อเต็ม',
  ],
  ['given_name', 'nom de pila|fornafn|nama pertama|نام کوچک|primer nom'],
  ['family_name', 'cognoms|cognom|eftirnafn|priimek|презиме|نام خانوادگی|nama akhir'],
  [
    'email',
    'correu electrònic|correu|adreça electrònica|e pasts|epasts|el paštas|elektroninis paštas|netfang|tölvupóstur|e pošta|epošta|е пошта|епошта|ایمیل|پست الکترونیک|e mel|emel|ईमेल पता',
  ],
  [
    'phone',
    'telèfon|número de telèfon|tālrunis|telefons|telefonas|telefono numeris|sími|símanúmer|telefónne číslo|telefonska številka|broj telefona|број телефона|телефонен номер|تلفن|شماره تلفن|दूरभाष|फ़ोन नंबर|no telefon|nombor telefon',
  ],
  [
    'phone:mobile',
    'mòbil|mobiiltelefon|mobiil|mobilais tālrunis|mobilusis telefonas|mobilusis|farsími|mobilni telefon|mobitel|мобилен телефон|мобилен|мобилни телефон|мобилни|gsm|موبایل|تلفن همراه|मोबाइल नंबर|telefon bimbit|โทรศัพท์มือถือ',
  ],
  [
    'company',
    'ettevõte|firma nimi|uzņēmums|įmonė|bendrovė|organizacija|fyrirtæki|podjetje|tvrtka|poduzeće|preduzeće|предузеће|компанија|организација|фирма|شرکت|سازمان|syarikat|organisasi|संगठन',
  ],
  [
    'title',
    'càrrec|lloc de treball|ametikoht|amet|amats|pareigos|starfsheiti|starf|pracovná pozícia|pracovné miesto|delovno mesto|radno mjesto|radno mesto|радно место|позиција|длъжност|سمت|شغل|عنوان شغلی|पदनाम|jawatan|ตำแหน่งงาน',
  ],
  [
    'department',
    'departament|osakond|nodaļa|skyrius|deild|oddelek|odjel|odeljenje|одељење|отдел|بخش|विभाग|jabatan',
  ],
  ['address', 'adreça|aadress|adrese|adresas|heimilisfang|naslov|адреса|آدرس|نشانی|ที่อยู่เต็ม'],
  [
    'street',
    'carrer|tänav|iela|gatvė|gata|gatuheiti|ulica in hišna številka|улица и број|خیابان|सड़क|ถนน',
  ],
  ['city', 'ciutat|població|linn|pilsēta|miestas|borg|bær|grad|град|شهر|bandar|อำเภอ'],
  ['region', 'província|comarca|maakond|novads|apskritis|regija|županija|област|استان|राज्य|negeri'],
  [
    'postal_code',
    'codi postal|sihtnumber|postiindeks|pasta indekss|pašto kodas|póstnúmer|poštna številka|poštanski broj|поштански број|пощенски код|کد پستی|पिन कोड|poskod',
  ],
  ['country', 'riik|valsts|šalis|država|држава|държава|کشور'],
  [
    'birthday',
    'data de naixement|aniversari|sünnipäev|sünniaeg|sünnikuupäev|dzimšanas datums|dzimšanas diena|gimimo data|gimtadienis|fæðingardagur|datum rojstva|rojstni dan|datum rođenja|rođendan|датум рођења|рођендан|рожден ден|дата на раждане|تاریخ تولد|تولد|जन्मतिथि|जन्म तिथि|tarikh lahir|hari lahir|วันเดือนปีเกิด',
  ],
  [
    'url',
    'lloc web|pàgina web|veebileht|tīmekļa vietne|svetainė|vefsíða|spletna stran|web stranica|веб сајт|уебсайт|وب سایت|वेबसाइट|laman web',
  ],
  ['tags', 'etiquetes|sildid|birkas|žymos|merki|oznake|ознаке|етикети|برچسب ها|टैग|ป้ายกำกับ'],
  [
    'note',
    'notes i comentaris|märkused|märkmed|piezīmes|pastabos|pastaba|athugasemdir|opombe|opomba|bilješke|bilješka|napomene|beleške|напомене|белешке|бележки|забележки|یادداشت|یادداشت ها|توضیحات|टिप्पणियाँ|หมายเหตุ',
  ],
  [
    'connected_on',
    'kontakt sedan|kontakt siden|forbundet siden|bağlantı kurulma tarihi|1촌 맺은 날짜|spojení navázáno|spojeno od|kontaktid alates|yhteys muodostettu|yhdistetty|povezano|повезан од|الاتصال في|تاریخ اتصال|เชื่อมต่อเมื่อ|kết nối vào|connectat el',
  ],
  // Other programs: Freshsales, Odoo, Nimble, Shopify, Luma, Insightly, Copper.
  [
    'company',
    'accounts|related company|parent company|default address company|what company do you work for|what is your company',
  ],
  ['title', 'job position|what is your job title'],
  ['note', 'background|details'],
  ['street:mailing', 'address mail street'],
  ['city:mailing', 'address mail city'],
  ['region:mailing', 'address mail state'],
  ['postal_code:mailing', 'address mail postcode'],
  ['country:mailing', 'address mail country'],
  ['street:other', 'address other street'],
  ['city:other', 'address other city'],
  ['region:other', 'address other state'],
  ['postal_code:other', 'address other postcode'],
  ['country:other', 'address other country'],
  ['region', 'province code|state code'],
  // Norwegian, Finnish, Hungarian, Greek, Romanian, Ukrainian, Vietnamese, Indonesian, Hebrew and traditional Chinese.
  ['name', 'nume și prenume|prenume și nume|vezetéknév keresztnév|中文姓名|שם'],
  ['given_name', 'prenumele|tên gọi'],
  ['middle_name', 'toinen nimi|második név|tên đệm|中間名字'],
  ['name_prefix', 'megszólítás|puhuttelu|προσφώνηση|danh xưng|תואר'],
  [
    'nickname',
    'kallenavn|lempinimi|becenév|ψευδώνυμο|poreclă|прізвисько|biệt danh|nama panggilan|כינוי|綽號',
  ],
  [
    'email',
    'e postadresse|epostadresse|epostadress|e post adresse|διεύθυνση ηλεκτρονικού ταχυδρομείου|адреса ел пошти|адреса електронної пошти|електронна адреса|пошта|địa chỉ email|alamat e mail|כתובת דוא ל|כתובת אימייל|כתובת מייל|מייל|電子郵件信箱|電郵地址',
  ],
  ['email:home', 'email cá nhân'],
  ['email:work', 'email công ty|email cơ quan'],
  [
    'phone',
    'telefonnr|tlf|tlf nr|puh|puh nro|αριθμός τηλεφώνου|τηλ|số đt|sđt|số máy|no telp|telp|nomor telp|מספר טלפון|טל|聯絡電話',
  ],
  [
    'phone:mobile',
    'mobiltlf|matkapuhelinnumero|kännykkä|kännykkänumero|mobilszám|αριθμός κινητού|мобільний|мобільний номер|моб тел|моб|số di động|sđt di động|điện thoại di động|no hp|nomor ponsel|טלפון נייד|טלפון סלולרי|מס נייד|מספר נייד',
  ],
  ['phone:work', 'điện thoại cơ quan|điện thoại công ty'],
  ['phone:home', 'điện thoại nhà|nhà riêng'],
  ['phone:fax', 'số fax|φαξ|פקס'],
  [
    'company',
    'arbeidsgiver|työnantaja|munkahely|munkáltató|εταιρία|εργοδότης|angajator|loc de muncă|місце роботи|роботодавець|tên công ty|nơi làm việc|nama perusahaan|tempat kerja|מקום עבודה|שם החברה|ארגון',
  ],
  [
    'title',
    'yrkestittel|tittel|tehtävä|θέση εργασίας|τίτλος|vị trí|pekerjaan|תואר תפקיד|תואר התפקיד',
  ],
  ['department', 'compartiment|підрозділ|bộ phận|phòng|bagian|divisi|單位部門'],
  [
    'street',
    'gateadresse|lähiosoite|utca házszám|οδός και αριθμός|stradă și număr|đường|số nhà|רחוב|רחוב ומספר|街道地址',
  ],
  ['city', 'localitate|localitatea|місто село|thị xã|市 縣|鄉鎮市區|יישוב'],
  ['city:work', 'thành phố cơ quan'],
  ['region', 'județul|область район|tỉnh thành|省 市|縣市|地區'],
  ['postal_code', 'postinro|irsz|τ κ|τκ|mã bưu điện|mã zip|郵編'],
  ['country', 'ország régió|χώρα περιοχή|țară regiune|країна регіон|ארץ|國家 地區'],
  [
    'address',
    'besøksadresse|kotiosoite|lakcím|levelezési cím|διεύθυνση κατοικίας|domiciliu|адреса проживання|поштова адреса|nơi ở|alamat lengkap|alamat rumah|כתובת מלאה|通訊地址|聯絡地址|戶籍地址',
  ],
  [
    'birthday',
    'születési idő|születési nap|ημ γέννησης|ημερ γέννησης|data de naștere|дата народж|день народж|ngày tháng năm sinh|năm sinh|tgl lahir|tanggal kelahiran|תאריך הלידה|出生年月日',
  ],
  [
    'url',
    'nettside|hjemmeside url|verkkosivusto|kotisivu|kotisivut|honlap|ιστότοπος|вебсайт|веб сайт|laman|אתר אינטרנט|אתר האינטרנט|網址',
  ],
  [
    'note',
    'merknader|merknad|kommentarer|huomioita|huomio|lisätiedot|jegyzetek|jegyzet|megj|σχόλια|παρατηρήσεις|mențiuni|коментар|коментарі|примітка|ghi chú thêm|keterangan|הערה|附註|說明',
  ],
  [
    'tags',
    'etiketter|tunnisteet|kategóriák|címkék|ετικέτες|ομάδες|etichete|мітки|теги|nhãn|תגיות|קטגוריות|קבוצות',
  ],
  [
    'relation:spouse',
    'σύζυγος|soț|soție|soț soție|чоловік|дружина|vợ|chồng|vợ chồng|suami|istri|suami istri|בן זוג|בת זוג|בן בת זוג',
  ],
  ['location', 'lives in|lives|living in|current location'],
  [
    'connected_on',
    'forbindelse siden|datum spojení|建立关系的日期|conectat pe|تاريخ التواصل|дата встановлення контакту|成為好友的日期|建立人脈日期',
  ],
]
