//! The words by which a harmless question is recognized, by language. All of them are folded: in lower case, without accents.

mod romance;

use romance::{FRENCH, ITALIAN, SPANISH};

/// How the subject of a question is found after its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The subject comes next: "why do | bees".
    Next,
    /// A verb comes before the subject: "warum fliegen | Vögel".
    AfterVerb,
    /// The first noun with an article: "pourquoi brillent | les étoiles".
    FirstArticle,
}

pub struct Language {
    /// How questions begin.
    pub openers: &'static [(Order, &'static [&'static str])],
    /// Words between the beginning and the subject.
    pub skipped: &'static str,
    /// The beginning that is a question only with one of these words later.
    pub completed: (&'static str, &'static str),
    pub articles: &'static str,
    /// Articles that are one word with a preposition, such as "du".
    pub contractions: &'static str,
    /// Words that need the noun after them.
    pub adjectives: &'static str,
    /// Nouns without an article that have no plural.
    pub mass_nouns: &'static str,
    /// The endings of nouns in the plural.
    pub plurals: &'static [&'static str],
    /// Whether nouns begin with a capital letter.
    pub capitalizes_nouns: bool,
    /// A message with one of these is never shown. A hyphen joins two words that are excluded together.
    pub excluded: &'static str,
    /// How it is asked who invented something.
    pub invented: &'static [&'static str],
    /// How it is asked where something comes from.
    pub origins: &'static [&'static str],
    /// Articles after which a noun is a particular thing, such as "the car".
    pub particular: &'static str,
    /// The harmless nouns, in five paragraphs:
    ///
    /// 1. In general, such as "cats" and "a rocket". A particular one could be private.
    /// 2. The same for everybody, such as "the moon".
    /// 3. Food and water: only where it comes from and who invented it.
    /// 4. Other things at home: only who invented it.
    /// 5. No subjects, but a question may mention them.
    ///
    /// A hyphen joins a noun to the word before it. Nouns that could be private at home, or that are slang, are not in it.
    pub nouns: &'static str,
}

/// Words before a question that don't belong to it.
pub const FILLERS: &str = "hey hi hello ok okay um uh uhm hmm so and but well oh wow hallo ah eh und aber also et mais alors bonjour salut hola y pero oye bueno ciao e ma allora en maar dus hoi";

/// Words that exclude a message in any language.
pub const EXCLUDED: &str = "sperm sperma spermien sperme esperma semen porn porno tampon tampons kondom kondome condom condoms condoom \
condooms preservatif preservatifs preservativo preservativi preservativos nazi nazis hitler terror terrorist terrorists terroristen \
terroriste terroristes terrorista terroristas terroristi rape viol stupro violacion vergewaltigung verkrachting fuck shit bitch \
missbrauch abuse abus abuso misbruik entfuhrer entfuhrt kidnap kidnapped kidnapper secuestro rapimento ontvoerd bh bra bras gender trans \
lesbian lesbe lgbt weed cannabis hasch hash marijuana marihuana joint joints cocaine kokain cocaina heroin snus lachgas shisha onlyfans nudes tiktok snapchat instagram whatsapp";

pub static LANGUAGES: [Language; 6] = [ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH];

const ENGLISH: Language = Language {
    openers: &[(
        Order::Next,
        &[
            "how come",
            "what if",
            "what would happen if",
            "what would happen when",
            "what happens if",
            "what happens when",
            "what happens to",
            "what happens inside",
            "who invented",
            "who discovered",
            "who built",
            "why do",
            "why does",
            "why did",
            "why is",
            "why are",
            "why was",
            "why were",
            "why can",
            "why don t",
            "why doesn t",
            "why didn t",
            "why isn t",
            "why aren t",
            "why can t",
            "how do",
            "how does",
            "how did",
            "how is",
            "how are",
            "how can",
            "where does",
            "where do",
            "what makes",
        ],
    )],
    skipped: "all some most only so many",
    completed: ("", ""),
    articles: "the a an",
    contractions: "",
    adjectives: "very black white red blue green yellow big biggest small smallest tiny little giant huge great long longest old oldest \
first last solar milky northern southern north south polar tooth easter fire space sea electric hot cold wild deep killer flying baby \
shooting steam school roller traffic hermit praying washing vacuum tennis full new honey bumble ice ozone rain snow bald arctic desert",
    mass_nouns: "water ice snow rain fire light lightning thunder electricity glass gold silver metal iron steel rust gravity sound time \
chocolate honey cheese bread salt sugar soap paper plastic wood music space air wind fog oil sand smoke steam lava magma silk rubber \
wool milk juice popcorn mold moss grass dust fish sheep mars venus jupiter saturn neptune uranus pluto earth quicksand seaweed coral \
amber concrete cement sea jelly slime glue ink wifi internet mice geese deer fungi bacteria plankton algae sunlight moonlight dew hail \
frost pepper wax velcro cotton coal yeast dough bamboo",
    plurals: &["s"],
    capitalizes_nouns: false,
    excluded: "tell tells telling told calorie calories undies dungeon dungeons touch touches touched touching window windows ceiling roof carpet wheelchairs flush flushed flushes partner partners bellies break-up down-there do-it \
houses homes beds bedrooms bathrooms toilets kitchens rooms doors schools hospitals jobs bleeding scars wounds acne \
spots eczema rash asthma inhaler adhd autism autistic wheelchair fever cough flu slaughter slaughtered butcher sell \
sells sold pawn owner owners hungry hunger starve starving leftovers dinner supper breakfast lunch expired ashes urn \
cremated missing attack attacks attacked missile missiles bedtime homeless lung lungs kidney kidneys liver throat chest \
thigh thighs knee knees elbow face faces nipple nipples testicle testicles genitals cramp cramps shave shaving cut-off \
turned-off switched-off run-over put-down bad-word food-bank pocket-money private-parts run-away \
pay pays paid paying bill bills debt debts owe owes afford loan repossessed evicted landlord hide hides hid hidden \
hiding sneak sneaks sneaking secretly steal steals stole stolen thief arrest arrested arrests visa passport border \
deported refugee refugees soldier soldiers army bunker shelter shelters religion religious muslim muslims jew jews \
jewish christian christians halal haram kosher paradise allah jesus koran quran bible mosque synagogue pray prays prayer ramadan \
mate mates mating hump humping queer pride vet delete deletes deleted searched emoji insult insults swear rude illegal \
stain stains smell smells smelly stink stinks swallow swallows swallowed poison poisoned choke chokes vodka rum whisky \
whiskey lighter sniff sniffing argue argues arguing arguments sofa couch closet wardrobe drawer cupboard basement attic \
garage flat apartment locked bag purse underwear pants bruises swelling swollen crash crashes crashed strangle drown \
drowns drowned here outside monday tuesday wednesday thursday friday saturday sunday \
dads daddies moms mommies mums fathers mothers grandmas grandpas grandparents stepdads uncles aunts wives husbands \
someone somebody anyone anybody \
armpit armpits beard moustache mustache voice voices breath freckles \
sheet sheets mattress pajamas pyjamas accent stutter stutters stuttering lisp \
guy guys lady arm arms ambulance accident crash funeral grave cemetery church court judge prison jail therapist therapy counselor lawyer principal killing called named \
i im ive id ill me my mine myself we us our ours you your yours yourself he she him her his hers \
mom mommy mum mummy mama dad daddy papa mother father parent parents brother brothers sister sisters sibling siblings grandma grandpa \
granny grandmother grandfather nana aunt auntie uncle cousin cousins family families stepmom stepdad wife husband divorce divorced \
married marry marriage wedding baby babies pregnant birth born adopted \
people person human humans man men woman women boy boys girl girls kid kids child children teen teens teenagers grownup grownups adult \
adults teacher teachers friend friends friendship boyfriend girlfriend crush bestie classmate classmates neighbor neighbors neighbour neighbours bully \
bullies bullied bullying babysitter coach nurse doctor doctors dentist hospital police priest stranger strangers \
love loves loved hate hates hated sad sadness cry cries crying tears angry anger mad scared scary afraid fear fears lonely alone \
happy unhappy mean hurt hurts hurting pain ashamed shy worry worried worries nightmare nightmares miss jealous upset secret secrets stupid ugly \
dumb fat thin skinny feel feels feeling feelings like likes nervous embarrassed embarrassing yell yells shout shouts scream fight fights \
fighting hit hits lie lies lying liar punish punished grounded trouble \
body skin hair tooth teeth tongue belly tummy stomach heart hearts brain brains blood bleed bleeds bone bones hand hands finger fingers \
leg legs foot feet toe toes eye eyes ear ears nose noses mouth mouths neck butt bum bottom poop poo pee fart farts burp burps puke vomit \
sneeze sneezing yawn hiccup hiccups sweat sweats itch pimples lice penis vagina boobs breast breasts period periods puberty naked kiss \
kissing sex sexy gay sick sickness ill illness disease cancer medicine pill pills allergy allergies diet weight cut bruise wound scar \
die dies died dying dead death kill kills killed suicide murder war wars gun guns weapon bomb knife drug drugs alcohol beer wine \
drunk cigarettes smoking vape god hell heaven devil santa \
house home bedroom bed bathroom toilet potty shower door kitchen room diaper school homework exam test grade grades class \
money rent job poor rich password address \
spell spells spelled spelling spelt pronounce rhyme letter letters word words sentence plus minus times divided multiply multiplied sum \
equals calculate percent weather forecast temperature today tomorrow yesterday tonight clock o'clock timer alarm reminder volume play \
song playlist stop pause joke",
    invented: &["who invented", "who discovered", "who built"],
    origins: &["come from", "comes from"],
    particular: "the",
    nouns: include_str!("languages/nouns/en.txt"),
};

const GERMAN: Language = Language {
    openers: &[
        (
            Order::AfterVerb,
            &["warum", "wieso", "weshalb", "woher", "wodurch"],
        ),
        (
            Order::Next,
            &[
                "wie kommt es dass",
                "was passiert wenn",
                "was passiert mit",
                "was geschieht wenn",
                "was ware wenn",
                "was wurde passieren wenn",
                "wer hat",
                "wie funktioniert",
                "wie funktionieren",
                "wie entsteht",
                "wie entstehen",
                "wie fliegt",
                "wie fliegen",
                "wie kann",
                "wie konnen",
                "wie macht",
                "wie machen",
                "wie wird",
                "wie werden",
                "wie atmen",
                "wie schlafen",
                "wie finden",
                "wie wissen",
                "wie kommt",
                "wie kommen",
                "wie wachst",
                "wie wachsen",
            ],
        ),
    ],
    skipped: "denn eigentlich so manche viele alle die",
    completed: ("wer hat", "erfunden entdeckt gebaut"),
    articles: "der die das den dem des ein eine einen einem einer",
    contractions: "",
    adjectives: "schiefe schiefen grosse grossen rote roten schwarze schwarzen chinesische chinesischen stille stillen pazifische tote toten",
    mass_nouns: "wasser eis schnee regen licht glas gold silber eisen rost schwerkraft schokolade honig kase brot salz zucker papier plastik \
holz luft wind nebel sand dampf lava magma moos staub kupfer stahl erdol kohle elektrizitat sauerstoff popcorn hagel donner",
    plurals: &[],
    capitalizes_nouns: true,
    excluded: "kalorien verrat verraten grabstein beruhrt beruhren anfassen angefasst fasst fassen fenster teppich dach partner trennen trennt da-unten weggegeben \
hauser betten turen schulen gefangnisse krankenhauser blutung bluten narben wunden akne ausschlag neurodermitis asthma \
adhs autismus autist rollstuhl fieber husten grippe schlachten schlachtet geschlachtet metzger verkauft verkaufen \
pfandleihe besitzer hunger hungrig hungern abendessen fruhstuck mittagessen abgelaufen asche urne seele seelen vermisst \
weggelaufen angriff angriffe angegriffen panzer obdachlos obdachlose lunge lungen niere leber rachen brustkorb \
oberschenkel gesicht gesichter hoden krampf krampfe rasieren abgestellt abgeschaltet gesperrt im-himmel den-himmel \
taschengeld geht-aus \
zahlt bezahlt bezahlen rechnung rechnungen schulden kredit vermieter gepfandet versteckt verstecken versteck heimlich \
klaut klauen geklaut gestohlen dieb verhaftet visum abschiebung abgeschoben fluchtling fluchtlinge soldat soldaten armee \
bunker religion muslim muslime jude juden judisch christ christen halal haram koscher paradies allah jesus koran bibel moschee \
synagoge betet beten ramadan paaren paart begatten queer tierarzt tierheim eingeschlafert loscht loschen geloscht \
gesucht emoji beleidigung schimpfwort illegal verboten fleck flecken riecht riechen stinkt stinken geruch verschluckt \
verschlucken vergiftet wodka rum schnaps whisky feuerzeug sofa schrank schublade keller dachboden garage wohnung \
abgesperrt abgeschlossen tasche unterhose geschwollen ertrinkt ertrunken ertrank parkt hier draussen montag dienstag \
mittwoch donnerstag freitag samstag sonntag \
papas mamas omas opas grosseltern yaya jemand jemanden jemandem niemand niemanden \
achsel achseln stimme stimmbruch bart sommersprossen laken bettlaken matratze schlafanzug akzent stottern stottert lispeln lispelt \
heisst heissen arme krankenwagen unfall beerdigung grab friedhof kirche gericht richter gefangnis therapie therapeut anwalt direktor herr typ \
ich mich mir mein meine meinen meinem meiner meins wir uns unser unsere unseren du dich dir dein deine deinen euch euer ihr \
ihre ihren sein seine seinen \
mama mami papa papi mutter vater eltern bruder schwester geschwister oma opa grossmutter grossvater tante onkel cousin cousine familie \
stiefvater stiefmutter scheidung geschieden trennung heiraten hochzeit baby babys schwanger geboren geburt adoptiert \
mensch menschen leute mann manner frau frauen junge jungen madchen kind kinder jugendliche erwachsene lehrer lehrerin lehrerinnen \
freund freunde freundin freundinnen freundschaft nachbar nachbarn babysitter trainer arzt arzte zahnarzt krankenhaus polizei pfarrer fremde \
liebe lieben liebt hasse hasst hassen traurig weint weinen tranen wutend wut sauer angst angste gruselig einsam allein allein glucklich gemein \
weh schmerz schmerzen schamen scham schuchtern sorgen albtraum albtraume vermissen eifersuchtig geheimnis geheim dumm hasslich dick \
dunn gefuhl gefuhle mag mogen nervos peinlich schreit schreien streit streiten streitet schlagt schlagen lugt lugen strafe arger mobben \
korper haut haare haar zahn zahne zunge bauch magen herz herzen gehirn blut blutet knochen hand hande finger bein beine fuss fusse auge \
augen ohr ohren nase mund hals po popo kacke kacken pipi pups pupsen rulpsen kotzen niesen gahnen gahnt schluckauf schwitzen schwitzt pickel \
lause penis scheide brust bruste periode pubertat nackt kuss kussen sex schwul krank krankheit krebs medizin tablette allergie diat gewicht wunde \
narbe sterben stirbt gestorben tot tod toten totet selbstmord mord krieg kriege waffe waffen bombe messer drogen alkohol bier wein betrunken \
zigaretten rauchen gott holle himmelreich teufel weihnachtsmann \
haus zuhause daheim bett schlafzimmer badezimmer klo toilette tur kuche zimmer windel schule hausaufgaben klasse prufung test note noten \
geld miete arbeit arm reich passwort adresse \
buchstabiert buchstabieren schreibt geschrieben schreiben rechtschreibung reimt buchstabe buchstaben wort worter satz plus minus mal geteilt \
rechnet rechnen aufgabe ergibt prozent wetter wettervorhersage grad heute morgen gestern uhr uhrzeit wecker timer lautstarke lied musik \
stopp witz",
    invented: &["wer hat"],
    origins: &["woher kommt", "woher kommen"],
    particular: "der die das den dem des",
    nouns: include_str!("languages/nouns/de.txt"),
};

const DUTCH: Language = Language {
    openers: &[
        (Order::AfterVerb, &["waarom"]),
        (
            Order::Next,
            &[
                "hoe komt het dat",
                "hoe kan het dat",
                "wat gebeurt er als",
                "wat gebeurt er met",
                "wat gebeurt er wanneer",
                "wat zou er gebeuren als",
                "wat als",
                "wie heeft",
                "hoe werkt",
                "hoe werken",
                "hoe vliegt",
                "hoe vliegen",
                "hoe kan",
                "hoe kunnen",
                "hoe ontstaat",
                "hoe ontstaan",
                "hoe maakt",
                "hoe maken",
                "hoe groeit",
                "hoe groeien",
                "hoe slapen",
                "hoe ademen",
                "hoe weten",
                "hoe worden",
                "hoe wordt",
                "hoe vinden",
                "waar komt",
                "waar komen",
            ],
        ),
    ],
    skipped: "eigenlijk toch dan alle sommige",
    completed: ("wie heeft", "uitgevonden ontdekt gebouwd bedacht"),
    articles: "de het een",
    contractions: "",
    adjectives: "grote kleine zwarte zwart rode witte groene blauwe gele eerste lange oude",
    mass_nouns: "water ijs sneeuw regen vuur licht bliksem onweer donder elektriciteit stroom glas goud zilver ijzer roest zwaartekracht geluid chocola \
chocolade honing kaas brood zout suiker zeep papier plastic hout lucht wind mist olie zand rook stoom lava schimmel gras stof mars venus jupiter saturnus \
hagel aarde zon maan",
    plurals: &["en", "s"],
    capitalizes_nouns: false,
    excluded: "calorieen verraadt verklapt grafsteen raakt aanraken aangeraakt raam ramen tapijt dak partner buiken weggedaan daar-beneden rolstoelen \
huizen bedden deuren scholen gevangenissen ziekenhuizen bloeden littekens wonden acne uitslag eczeem astma adhd autisme \
autist rolstoel koorts hoest griep slachten geslacht slager verkoopt verkopen verkocht eigenaar honger hongerig \
avondeten ontbijt lunch verlopen urn ziel zielen vermist weggelopen aanval aanvallen aangevallen tanks dakloos daklozen \
long longen nier lever keel borst borstkas dij dijen knie gezicht ballen kramp krampen scheren afgesloten afgesneden \
de-hemel zakgeld voedselbank geen-eten overreden \
betaalt betaald betalen rekening rekeningen schuld schulden lening huisbaas verstopt verstoppen verbergt stiekem steelt \
stelen gestolen dief gearresteerd visum grens uitgezet vluchteling vluchtelingen soldaat soldaten leger schuilkelder \
asiel geloof religie moslim moslims jood joden joods christen christenen halal haram koosjer paradijs hondenhemel allah jezus koran bijbel \
moskee synagoge bidt bidden ramadan paren paart dekken queer dierenarts verwijderd wissen gewist gezocht emoji \
belediging scheldwoord illegaal verboden vlek vlekken ruikt ruiken stinkt stinken geur inslikt ingeslikt slikt \
vergiftigd wodka rum whisky aansteker bank kast lade kelder zolder garage flat tas onderbroek gezwollen verdrinkt \
verdronken hier buiten maandag dinsdag woensdag donderdag vrijdag zaterdag zondag \
papas mamas papa's mama's vaders moeders opa's oma's opas omas grootouders iemand niemand \
oksel oksels baard snor stem sproeten laken lakens matras pyjama accent stotteren stottert lispelen \
heet heten armen ambulance ongeluk begrafenis graf kerkhof kerk rechter rechtbank gevangenis therapie advocaat directeur meneer mevrouw \
ik mij me mijn m'n wij we ons onze jij je jou jouw jullie u uw hij zij ze hem haar zijn' hun \
mama papa moeder vader ouders broer broers broertje zus zussen zusje oma opa grootmoeder grootvater tante oom neef nicht familie stiefvader stiefmoeder \
scheiding gescheiden scheiden trouwen bruiloft baby babys baby's zwanger geboren geboorte geadopteerd \
mens mensen persoon man mannen vrouw vrouwen jongen jongens meisje meisjes kind kinderen tiener tieners volwassene volwassenen juf meester leraar \
lerares vriend vrienden vriendin vriendinnen vriendje vriendjes buurman buurvrouw buren oppas coach dokter tandarts ziekenhuis politie vreemde vreemden \
liefde houdt houden haat haten verdrietig verdriet huilt huilen tranen boos woede bang angst eng eenzaam alleen blij gemeen pijn doet schaamt verlegen zorgen \
nachtmerrie nachtmerries mist jaloers geheim geheimen dom lelijk dik dun gevoel gevoelens voelt voelen zenuwachtig schreeuwt schreeuwen ruzie slaat slaan liegt \
liegen straf pesten gepest pest \
lichaam huid haren tand tanden tong buik maag hart harten hersenen bloed bloedt bot botten hand handen vinger vingers been benen voet voeten oog ogen oor oren neus \
mond nek billen kont poep poepen plas plassen scheet scheten boer boeren overgeven niezen gapen hik zweten zweet puistjes luizen piemel vagina \
borsten ongesteld puberteit bloot naakt kus kussen seks ziek ziekte ziektes kanker medicijn medicijnen pil allergie dieet gewicht wond sterven sterft dood \
doodgaan doden zelfmoord moord oorlog oorlogen wapen wapens bom mes drugs alcohol bier wijn dronken sigaretten roken god hel duivel sinterklaas \
huis thuis bed slaapkamer badkamer wc toilet douche deur keuken kamer luier school huiswerk klas toets cijfer \
geld huur werk arm rijk adres wachtwoord \
spelt spellen spel schrijft schrijf schrijven rijmt letter letters woord woorden zin plus min keer gedeeld som sommen reken rekenen procent weer weerbericht graden vandaag \
morgen gisteren laat tijd klok wekker timer volume liedje muziek mop",
    invented: &["wie heeft"],
    origins: &["waar komt", "waar komen"],
    particular: "de het",
    nouns: include_str!("languages/nouns/nl.txt"),
};
