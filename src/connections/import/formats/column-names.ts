// The names of columns in address books, in more than thirty languages.

import { FURTHER_COLUMN_NAMES } from './further-column-names.ts'
import { PROGRAM_COLUMN_NAMES } from './program-column-names.ts'

/** Separated by `|`; normalized like a header where they are used. The first meaning of a name counts. */
export const COLUMN_NAMES: readonly (readonly [target: string, names: string])[] = [
  ['given_or_name', "نام|nome|nombre|jméno|meno|имя|ім'я|이름|tên|ad|adı|isim|ime|ชื่อ|الاسم|नाम|名"],
  ['family_or_name', 'nom|nume'],
  [
    'name',
    "name|full name|display name|contact name|file as|person|contact|fullname|complete name|naam|volledige naam|weergavenaam|vollständiger name|anzeigename|nom complet|nom affiché|nombre completo|nome completo|nome visualizado|nome e cognome|imię i nazwisko|nazwa|nazwa wyświetlana|jméno a příjmení|celé jméno|meno a priezvisko|teljes név|név|nume complet|ad soyad|adı soyadı|isim|tam ad|фио|полное имя|отображаемое имя|повне ім'я|піб|namn|fullständigt namn|navn|fulde navn|fullt navn|nimi|koko nimi|όνομα και επώνυμο|ονοματεπώνυμο|氏名|名前|お名前|表示名|姓名|全名|显示名称|顯示名稱|성명|성함|표시 이름|이름 성|nama|nama lengkap|họ và tên|họ tên|ชื่อ นามสกุล|الاسم|الاسم الكامل|שם מלא|नाम|पूरा नाम|im vardas ir pavardė",
  ],
  [
    'given_name',
    "first name|given name|firstname|givenname|first|forename|vorname|prénom|nombre de pila|primer nombre|nome proprio|nome próprio|primeiro nome|voornaam|imię|křestní jméno|krstné meno|meno|keresztnév|utónév|prenume|adı|ad|имя|ім'я|förnamn|fornavn|etunimi|όνομα|名|名字|이름|nama depan|tên|ชื่อ|الاسم الأول|שם פרטי|पहला नाम|eesnimi|vārds|vardas|ime|име",
  ],
  [
    'middle_name',
    'middle name|middle|additional name|middlename|middle names|zweiter vorname|weitere vornamen|deuxième prénom|autres prénoms|segundo nombre|secondo nome|segundo nome|nome do meio|tweede voornaam|middelste naam|drugie imię|prostřední jméno|второе имя|отчество|по батькові|mellannamn|mellemnavn|mellomnavn|ikinci ad|ミドル ネーム|ミドルネーム|中间名|中間名|중간 이름',
  ],
  [
    'family_name',
    'last name|family name|surname|lastname|familyname|last|second name|nachname|familienname|zuname|nom de famille|apellidos|apellido|cognome|sobrenome|apelido|apelidos|último nome|achternaam|familienaam|nazwisko|příjmení|priezvisko|vezetéknév|családnév|nume de familie|soyadı|soyad|soy isim|фамилия|прізвище|efternamn|efternavn|etternavn|sukunimi|επώνυμο|姓|姓氏|名字 姓|성|nama belakang|nama keluarga|họ|นามสกุล|اسم العائلة|اللقب|שם משפחה|उपनाम|perekonnanimi|uzvārds|pavardė|prezime|фамилия име',
  ],
  [
    'name_prefix',
    'name prefix|prefix|salutation|honorific|honorific prefix|titul před jménem|anrede|namenspräfix|civilité|préfixe|tratamiento|titolo|tratamento|aanhef|zwrot grzecznościowy|oslovení|обращение|звернення|敬称|称谓|中文称谓|英文称谓|稱謂|호칭|titre de civilité',
  ],
  [
    'name_suffix',
    'name suffix|suffix|suffix name|generational suffix|honorific suffix|titul za jménem|namenssuffix|suffixe|sufijo|suffisso|sufixo|achtervoegsel|sufiks|суффикс|後缀|后缀|서픽스',
  ],
  [
    'nickname',
    'nickname|nick name|alias|short name|spitzname|surnom|pseudo|apodo|alias name|soprannome|alcunha|apelido carinhoso|bijnaam|pseudonim|ksywa|přezdívka|псевдоним|прозвище|smeknamn|kaldenavn|takma ad|ニックネーム|昵称|暱稱|별명|닉네임',
  ],
  [
    'phonetic_given_name',
    'phonetic first name|phonetic given name|given yomi|given name yomi|first name phonetic|名 フリガナ|名 ふりがな|フリガナ 名|ふりがな 名|名 よみ|拼音 名',
  ],
  [
    'phonetic_family_name',
    'phonetic last name|phonetic family name|family yomi|family name yomi|surname yomi|last name phonetic|姓 フリガナ|姓 ふりがな|フリガナ 姓|ふりがな 姓|姓 よみ|拼音 姓',
  ],
  ['pronouns', 'pronouns|pronomen|pronoms|pronombres|pronomi|pronomes|preferred pronouns'],
  [
    'email',
    'email|e mail|mail|email address|e mail address|email addresses|emails|emailaddress|e mail adresse|emailadresse|e mail adressen|email adresse|mailadresse|adresse e mail|adresse mail|adresse électronique|adresse de messagerie|courriel|mél|correo|correo electrónico|dirección de correo electrónico|dirección del correo electrónico|dirección de correo|indirizzo e mail|indirizzo email|indirizzo di posta elettronica|indirizzo posta elettronica|posta elettronica|endereço de email|endereço de e mail|endereço de correio eletrónico|correio eletrônico|correio electrónico|e mailadres|emailadres|adres e mail|adres email|adres poczty elektronicznej|poczta|e mailová adresa|emailová adresa|e mail cím|adresă de e mail|adresă de email|e posta|eposta|e posta adresi|электронная почта|эл почта|адрес эл почты|адрес электронной почты|почта|емейл|имейл|електронна пошта|ел пошта|e post|e postadress|epost|e mailadresse|sähköposti|sähköpostiosoite|διεύθυνση email|ηλεκτρονικό ταχυδρομείο|メール|メールアドレス|電子メール|電子メール アドレス|eメール|電子メールアドレス|邮箱|电子邮件|电子邮件地址|电子邮箱|电邮|郵箱|電子郵件|電子郵件地址|信箱|이메일|이메일 주소|전자 메일|전자 메일 주소|전자우편|surel|alamat email|thư điện tử|อีเมล|البريد الإلكتروني|دواר אלקטרוני|אימייל|דוא ל|ईमेल',
  ],
  ['email:work', 'business email|company email|corporate email|geschäftliche e mail|office email'],
  ['email:home', 'personal email|private email|private e mail'],
  [
    'email:other',
    'secondary email|alternate email|additional email|other email|email 2|second email|backup email',
  ],
  [
    'phone',
    'phone|telephone|tel|phone number|telephone number|phone numbers|phones|phonenumber|contact number|number|telefon|telefonnummer|rufnummer|téléphone|tél|numéro de téléphone|teléfono|número de teléfono|telefono|numero di telefono|telefone|número de telefone|telefoon|telefoonnummer|numer telefonu|telefonní číslo|telefónne číslo|telefonszám|număr de telefon|telefon numarası|telefonu|телефон|номер телефона|номер телефону|puhelin|puhelinnumero|τηλέφωνο|電話|電話番号|电话|电话号码|電話號碼|電話號|전화|전화번호|telepon|nomor telepon|điện thoại|số điện thoại|โทรศัพท์|หมายเลขโทรศัพท์|هاتف|رقم الهاتف|טלפון|फ़ोन|फोन',
  ],
  [
    'phone:mobile',
    'mobile|mobile phone|phone mobile|cell|cell phone|cellphone|mobile number|mobile phone number|cellular|mobiltelefon|mobil tel nr|handy|handynummer|mobilnummer|mobil|portable|mobile téléphone|téléphone mobile|téléphone portable|tél mobile|móvil|teléfono móvil|celular|teléfono celular|cellulare|telefono cellulare|telemóvel|telefone celular|telefone móvel|mobiel|mobiele telefoon|mobiel nummer|telefon komórkowy|komórka|komórkowy|mobilní telefon|mobilný telefón|telefon mobil|cep telefonu|cep|мобильный|мобильный телефон|сотовый|телефон мобильный|мобільний телефон|mobiltelefonnummer|mobilnr|matkapuhelin|κινητό|κινητό τηλέφωνο|携帯|携帯電話|携帯番号|手机|手机号|手机号码|移动电话|移動電話|行動電話|手機|手機號碼|휴대폰|휴대전화|휴대폰 번호|휴대 전화|ponsel|nomor hp|di động|มือถือ|جوال|محمول|נייד|मोबाइल|whats app|whatsapp number',
  ],
  [
    'phone:main',
    'primary phone|main phone|company main phone|haupttelefon|telefon firma|téléphone principal|téléphone société|teléfono principal|telefono principale|telefone principal|hoofdtelefoon|hoofdtelefoon bedrijf|telefon główny|основной телефон|主要电话|单位主要电话|主要電話|代表電話|대표 전화',
  ],
  [
    'phone:work',
    'direct phone|direct line|durchwahl|work direct phone|business number|office|ligne directe',
  ],
  [
    'phone:other',
    'car phone|callback|radio phone|isdn|telex|tty tdd phone|yahoo phone|autotelefon|autotelefoon|radiotelefoon|terugbellen|teksttelefoon|回电话|车载电话|无绳电话|电报|tty tdd 电话',
  ],
  [
    'phone:assistant',
    'assistants phone|assistant s phone|assistant phone|asst phone|telefon assistent|telefoon assistent|助理的电话',
  ],
  [
    'phone:fax',
    'fax|fax number|telefax|télécopie|faks|факс|factures fax|faxnummer|ファックス|fax番号|传真|傳真|팩스',
  ],
  [
    'phone:pager',
    'pager|pager number|beeper|寻呼机|ポケットベル|busca|cercapersone|téléavertisseur',
  ],
  [
    'url',
    'url|urls|website|web site|web page|webpage|homepage|home page|website url|site|site web|page web|webseite|internetseite|página web|sitio web|pagina web|sito|sito web|pagina web personale|site internet|website adres|webpagina|strona www|strona internetowa|www|strona sieci web|webové stránky|weboldal|pagină web|web sitesi|web sayfası|веб сайт|сайт|веб страница|веб сторінка|webbplats|webbsida|hjemmeside|nettsted|verkkosivu|ιστοσελίδα|ウェブサイト|web ページ|ウェブページ|网站|网页|網站|網頁|主页|홈페이지|웹 사이트|웹사이트|웹 페이지|situs web|trang web|เว็บไซต์|موقع الويب|אתר|profile url|links|link|blog|social links|social profiles',
  ],
  [
    'url:linkedin',
    'linked in|linkedin|linkedin url|linked in url|linkedin profile|linkedin profile url|linked in profile|linkedin page|linkedin contact profile url|profile link|linkedin public url|person linkedin url|hs linkedin url|perfil de linkedin|linkedin profil|领英',
  ],
  ['url:facebook', 'facebook|facebook url|facebook profile|facebook page'],
  ['url:github', 'github|git hub|github url'],
  ['url:calendar', 'internet free busy|calendly|calendar link'],
  [
    'handle:x',
    'twitter|twitter handle|twitter username|twitter url|x handle|x twitter|twitter x|x username',
  ],
  ['handle:instagram', 'instagram|instagram handle|instagram username|instagram url'],
  ['handle:skype', 'skype|skype id|skype name|skype username'],
  ['handle:telegram', 'telegram|telegram handle|telegram username|телеграм'],
  ['handle:whatsapp', 'whatsapp handle'],
  ['handle:signal', 'signal'],
  ['handle:wechat', 'we chat|wechat|weixin|微信|微信号|we chat id|wechat id'],
  ['handle:qq', 'qq|qq id|qq号'],
  ['handle:line', 'line|line id'],
  ['handle:kakaotalk', 'kakaotalk|kakao talk|카카오톡'],
  ['handle:mastodon', 'mastodon|fediverse'],
  ['handle:bluesky', 'bluesky|blue sky'],
  ['handle:tiktok', 'tiktok|tik tok'],
  ['handle:youtube', 'youtube|you tube'],
  ['handle:discord', 'discord|discord id'],
  ['handle:slack', 'slack|slack id|slack handle'],
  ['handle:icq', 'icq|icq id'],
  ['handle:aim', 'aim|aim id|screen name|aim screen name'],
  ['handle:msn', 'msn|msn id'],
  ['handle:irc', 'irc|irc id'],
  ['handle:gtalk', 'google talk|google id|gtalk'],
  ['handle:jabber', 'jabber|xmpp|jabber id'],
  ['handle:yahoo', 'messenger id|yahoo id|yahoo messenger'],
  [
    'handle:im',
    'im|im address|instant messenger|instant messaging|messenger|messenger name|imaddress|im handle|chat',
  ],
  // prose-ok: a word list
  [
    'company',
    'company|company name|organization|organisation|organization name|organisation name|employer|account|account name|associated company|primary associated company|companies|current company|business|firm|firma|firmenname|unternehmen|organisation entreprise|arbeitgeber|société|entreprise|organisme|empresa|compañía|organización|nombre de la empresa|azienda|società|organizzazione|ditta|nome azienda|nome da empresa|companhia|organização|bedrijf|bedrijfsnaam|organisatie|nazwa firmy|organizacja|pracodawca|přidružená firma|společnost|organizace|spoločnosť|cég|vállalat|companie|organizație|şirket|şirket adı|kuruluş|firma adı|компания|организация|место работы|компанія|організація|företag|foretag|virksomhed|firmanavn|bedrift|selskap|yritys|εταιρεία|οργανισμός|会社|会社名|組織|勤務先|公司|公司名称|单位|單位|组织|組織名|公司名稱|机构|회사|회사명|회사 이름|조직|직장|perusahaan|organisasi|công ty|tổ chức|บริษัท|شركة|الشركة|חברה|कंपनी',
  ],
  [
    'title',
    'job title|title|organization title|position|role|jobtitle|job|job role|headline|current title|current position|current job title|occupation title|profession|berufsbezeichnung|stelle|rolle|funktion|beruf|jobbezeichnung|arbeitstitel|fonction|titre|poste|titre de poste|titre du poste|intitulé du poste|métier|cargo|puesto|posición|puesto de trabajo|profesión|qualifica|posizione|ruolo|mansione|professione|profissão|função|título|functie|functietitel|beroep|stanowisko|tytuł zawodowy|zawód|pozice|pracovní pozice|funkce|pozícia|funkcia|beosztás|munkakör|funcție|post|poziție|unvan|pozisyon|görev|iş unvanı|meslek|должность|позиция|роль|профессия|посада|titel|befattning|yrke|jobtitel|stilling|stillingstittel|titteli|tehtävänimike|ammatti|τίτλος εργασίας|θέση|επάγγελμα|役職|肩書|肩書き|職業|役職名|职务|职位|职称|職稱|職務|職位|職業名|职业|직책|직위|직함|jabatan|chức vụ|chức danh|ตำแหน่ง|المسمى الوظيفي|المنصب|תפקיד|पद|occupation',
  ],
  [
    'department',
    'department|division|team|organization department|office department|abteilung|bereich|service|département|departamento|reparto|dipartimento|afdeling|dział|oddělení|oddelenie|részleg|osztály|departament|departman|bölüm|отдел|подразделение|відділ|avdelning|avdeling|osasto|τμήμα|部署|部门|部門|部署名|부서|departemen|phòng ban|แผนก|القسم|מחלקה',
  ],
  [
    'location',
    'location|geo location|based in|office location|ort des büros|standort|emplacement|lieu|ubicación|ubicación de la oficina|località|ubicazione ufficio|localização|local|locatie|kantoorlocatie|lokalizacja|umístění|местоположение|расположение|расположение комнаты|plats|placering|plassering|sijainti|konum|場所|所在地|地点|办公地点|地點|위치|lokasi',
  ],
  [
    'address',
    'address|full address|mailing address|postal address|addresses|adresse|anschrift|postanschrift|adresse postale|dirección|domicilio|dirección postal|indirizzo|indirizzo postale|endereço|morada|adres|adres pocztowy|adresa|cím|postacím|adresă|адрес|почтовый адрес|адреса|adress|postadress|postadresse|osoite|διεύθυνση|住所|地址|주소|alamat|địa chỉ|ที่อยู่|عنوان|العنوان|כתובת|पता',
  ],
  [
    'street',
    'street|street address|address line|address street|straße|strasse|rue|calle|via|rua|straat|ulica|ulice|utca|stradă|sokak|cadde|улица|вулиця|gata|gatuadress|gade|gate|vej|katu|katuosoite|οδός|番地|街道|거리|번지|jalan|address1|address2|endereço rua|logradouro|町名番地',
  ],
  [
    'po_box',
    'po box|p o box|post office box|postfach|boîte postale|apartado de correos|casella postale|caixa postal|postbus|postbusnummer|skrytka pocztowa|poštovní schránka|почтовый ящик|п я|postbox|postboks|私書箱|邮箱号|사서함',
  ],
  [
    'city',
    'city|town|locality|city town|municipality|ort|stadt|wohnort|ville|localité|ciudad|población|localidad|città|comune|cidade|localidade|plaats|woonplaats|stad|miasto|miejscowość|město|obec|mesto|város|település|oraș|şehir|ilçe|город|населенный пункт|місто|ort stad|by|poststed|kaupunki|postitoimipaikka|πόλη|市区町村|市|城市|市 县|市县|县市|城市名|시|도시|시 군 구|kota|thành phố|เมือง|المدينة|مدينة|עיר|शहर',
  ],
  [
    'region',
    'region|state|province|state region|state province|state or province|county|bundesland|bundesland kanton|kanton|dép région|département région|région|dép|estado|provincia|comunidad autónoma|estado o provincia|estado provincia|provincia stato|regione|provincie|województwo|kraj okres|megye|județ|il|bölge|область|регион|край|область край|регіон|län|fylke|maakunta|περιφέρεια|νομός|都道府県|省|省 市 自治区|州|省份|시 도|도|provinsi|tỉnh|จังหวัด|ولاية|מחוז',
  ],
  [
    'postal_code',
    'postal code|zip|zip code|zipcode|zip postal code|postcode|post code|postleitzahl|plz|code postal|código postal|cap|cep|codice postale|postcode nr|kod pocztowy|psč|poštovní směrovací číslo|irányítószám|cod poștal|posta kodu|индекс|почтовый индекс|поштовий індекс|postnummer|postnr|postinumero|ταχυδρομικός κώδικας|郵便番号|邮编|邮政编码|郵遞區號|우편 번호|우편번호|kode pos|mã bưu chính|รหัสไปรษณีย์|الرمز البريدي|מיקוד',
  ],
  [
    'country',
    'country|country region|nation|country code|land|land region|pays|pays région|país|país región|país o región|paese|stato|paese area geografica|país regiao|land regio|kraj|kraj region|země|krajina|ország|țară|ülke|ülke bölge|страна|страна или регион|страна регион|країна|land område|maa|χώρα|国|国 地域|国名|国家|国家 地区|國家|國家 地區|나라|국가|국가 지역|negara|quốc gia|ประเทศ|بلد|البلد|מדינה|देश',
  ],
  [
    'birthday',
    'birthday|birth date|birthdate|date of birth|dob|born|bday|geburtstag|geburtsdatum|anniversaire|date de naissance|date d anniversaire|cumpleaños|fecha de nacimiento|compleanno|data di nascita|aniversário|data de nascimento|data de aniversário|verjaardag|geboortedatum|urodziny|data urodzenia|narozeniny|datum narození|narodeniny|dátum narodenia|születésnap|születési dátum|zi de naștere|data nașterii|doğum günü|doğum tarihi|день рождения|дата рождения|день народження|дата народження|födelsedag|födelsedatum|fødselsdag|fødselsdato|bursdag|syntymäpäivä|syntymäaika|γενέθλια|ημερομηνία γέννησης|誕生日|生年月日|生日|出生日期|생일|생년월일|ulang tahun|tanggal lahir|ngày sinh|วันเกิด|تاريخ الميلاد|יום הולדת|תאריך לידה|जन्मदिन',
  ],
  [
    'date:anniversary',
    'anniversary|wedding anniversary|jahrestag|hochzeitstag|anniversaire de mariage|aniversario|anniversario|aniversário de casamento|trouwdag|rocznica|výročí|évforduló|yıldönümü|годовщина|річниця|bröllopsdag|årsdag|bryllupsdag|vuosipäivä|記念日|纪念日|紀念日|기념일',
  ],
  [
    'connected_on',
    'connected on|connected at|connection date|connected date|date connected|verbunden am|verbunden seit|vernetzt am|kontakt seit|connecté le|date de connexion|connexion établie le|en relation depuis|conectado el|fecha de conexión|collegato il|data collegamento|collegati il|conectado em|data da conexão|ligado em|verbonden op|gekoppeld op|połączono|data połączenia|nawiązano kontakt|дата установления контакта|установлен контакт|дата подключения|contacts since|forbundet den|forbundet|anslöts|ansluten den|kopplades|bağlantı tarihi|bağlantı kurulan tarih|連絡先追加日|つながった日|つながり承認日|つながり成立日|添加日期|建立关系日期|加为好友日期|1촌 맺은 날|연결된 날짜|spojeno dne|propojeno|terhubung pada|conectat la|συνδέθηκε στις',
  ],
  [
    'relation:spouse',
    'spouse|spouse name|partner|husband|wife|spouse partner|partner ehepartner|ehepartner|conjoint|cónyuge|coniuge|cônjuge|małżonek|manžel|házastárs|eş|супруг|супруга|супруг а|чоловік дружина|maka make|ægtefælle|ektefelle|puoliso|配偶者|配偶|배우자',
  ],
  [
    'relation:child',
    'children|child|kids|kinder|kind|enfants|hijos|figli|filhos|kinderen|dzieci|děti|gyermekek|çocuklar|дети|діти|barn|lapset|子供|子女|자녀',
  ],
  [
    'relation:assistant',
    'assistant|assistants name|assistant s name|assistant name|name assistent|name des assistenten|assistent in|nom de l assistant|nombre del ayudante|nome assistente|naam assistent|imię i nazwisko asystenta|имя помощника|помощник|アシスタント|助理|助理的姓名|비서',
  ],
  [
    'relation:manager',
    'manager|managers name|manager s name|manager name|reports to|reporting to|supervisor|name des vorgesetzten|name des der vorgesetzten|vorgesetzter|nom du responsable|nombre del director|nome manager|naam manager|menedżer|руководитель|имя руководителя|上司|经理姓名|上級|관리자',
  ],
  [
    'relation:referred by',
    'referred by|introduced by|empfohlen von|recommandé par|recomendado por|引用者|рекомендовал',
  ],
  [
    'tags',
    'tags|tag|labels|label|groups|group|lists|list|categories|category|group membership|list membership|segments|folder|kategorien|kategorie|gruppen|gruppe|schlagwörter|catégories|catégorie|groupes|étiquettes|libellés|categorías|categoría|etiquetas|grupos|categorie|etichette|gruppi|categorias|marcadores|categorieën|labels groepen|groepen|kategorie grupy|grupy|etykiety|kategorie skupiny|skupiny|štítky|kategória|csoportok|categorii|grupuri|kategoriler|etiketler|gruplar|категории|группы|теги|метки|категорії|групи|kategorier|grupper|taggar|luokat|ryhmät|κατηγορίες|分類|グループ|タグ|カテゴリ|类别|分组|标签|群组|類別|群組|標籤|범주|그룹|태그|카테고리|kategori|grup|nhóm|قائمة|תוויות',
  ],
  [
    'note',
    'notes|note|comments|comment|description|bio|about|remarks|memo|summary|notizen|notiz|bemerkungen|bemerkung|kommentar|beschreibung|anmerkungen|commentaires|commentaire|remarques|notas|nota|comentarios|observaciones|descripción|annotazioni|commenti|descrizione|anotações|observações|comentários|descrição|notities|notitie|opmerkingen|omschrijving|notatki|uwagi|opis|poznámky|poznámka|popis|megjegyzések|megjegyzés|note observații|observații|notlar|açıklama|заметки|примечание|примечания|комментарий|описание|нотатки|примітки|anteckningar|noter|notater|bemærkninger|muistiinpanot|huomautukset|σημειώσεις|メモ|備考|ノート|备注|附注|註記|備註|笔记|메모|비고|catatan|ghi chú|บันทึก|ملاحظات|הערות|टिप्पणी',
  ],
  [
    'technical',
    'e mail type|email type|e mail display name|email display name|e mail 2 type|e mail 2 display name|e mail 3 type|e mail 3 display name|priority|private|sensitivity|initials|gender|directory server|e mailtype|e mailtyp|e mail anzeigename|e mail 2 typ|e mail 2 anzeigename|e mail 3 typ|e mail 3 anzeigename|priorität|privat|vertraulichkeit|initialen|geschlecht|type de messagerie|nom complet de l adresse de messagerie|initiales|critère de diffusion|privé|priorité|sexe|weergavenaam voor e mail|gevoeligheid|geslacht|prioriteit|privé ja nee|电子邮件类型|电子邮件显示名称|电子邮件 2 类型|电子邮件 2 显示名|电子邮件 3 类型|电子邮件 3 显示名|优先级|私有|敏感度|性别|缩写|email opt out|unsubscribed from all email|name type',
  ],
  ['birthday_part:year', 'birth year|geburtsjahr|année de naissance|año de nacimiento'],
  ['birthday_part:month', 'birth month|geburtsmonat|mois de naissance|mes de nacimiento'],
  ['birthday_part:day', 'birth day|geburtstag tag|jour de naissance|día de nacimiento'],
  ['anniversary_part:year', 'anniversary year'],
  ['anniversary_part:month', 'anniversary month'],
  ['anniversary_part:day', 'anniversary day'],
  // Localized Outlook, beyond the words above.
  ['name_prefix', 'tytuł|titul'],
  ['middle_name', 'ikinci adı|druhé jméno'],
  ['name_suffix', 'sonek|přípona'],
  ['title', '头衔|頭銜'],
  ['tags', '分類項目'],
  ['phonetic_family_name', '姓のフリガナ|姓フリガナ|セイ'],
  ['phonetic_given_name', '名のフリガナ|名フリガナ|メイ'],
  ['relation:spouse', 'współmałżonek|imię współmałżonka'],
  ['connected_on', 'data nawiązania kontaktu|名刺交換日'],
  ['city', 'cidade/uf'],
  ['note', 'observação'],
  ['technical', '電子メールの種類|電子メール表示名'],
  ['phone:work', 'arbetstelefon'],
  ['phone:home', 'hemtelefon'],
  ['phone:mobile', 'телефон переносной'],
  ['country', 'země/oblast'],
  ['postal_code', 'почтовый код'],
  // In Turkish, `cep` is a mobile phone.
  ['postal_code:work', 'cep do endereço comercial|cep comercial'],
  ['postal_code:home', 'cep do endereço residencial|cep residencial'],
  ['postal_code:other', 'cep de outro endereço|outro cep'],
  ['street', '주소 번지|번지'],
  ['city', '구/군/시'],
  ['region', '시/도'],
  ['handle:im', 'instant message handles'],
  // Attio.
  ['company', 'company > company'],
  ['city', 'primary location > city'],
  ['region', 'primary location > state'],
  ['country', 'primary location > country'],
  ...FURTHER_COLUMN_NAMES,
  ...PROGRAM_COLUMN_NAMES,
  [
    'custom',
    'reports to id|photo|photo url|avatar|avatar url|picture|picture url|profile picture|image|image url',
  ],
]
