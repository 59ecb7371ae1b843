//! French, Spanish and Italian.

use super::{Language, Order};

pub(super) const FRENCH: Language = Language {
    openers: &[(
        Order::FirstArticle,
        &[
            "pourquoi",
            "comment",
            "et si",
            "que se passe",
            "qu est ce qui se passe si",
            "qu est ce qui se passe quand",
            "qu est ce qui se passerait si",
            "qu est ce qu il se passe si",
            "qu est ce qu il se passe quand",
            "qui a invente",
            "qui a decouvert",
            "qui a construit",
            "d ou vient",
            "d ou viennent",
        ],
    )],
    skipped: "est ce qu que t il si quand se y avait n ne",
    completed: ("", ""),
    articles: "le la les l un une des",
    contractions: "au aux du",
    adjectives: "sous chauve chauves petit petite petits petites grand grande grands grandes gros grosse premier premiere vieux vieille beau belle",
    mass_nouns: "soleil terre lune mars venus jupiter saturne neptune uranus pluton",
    plurals: &[],
    capitalizes_nouns: false,
    excluded: "calories raconte raconter tombes touche touchent toucher touches tripote tripotent fenetre fenetres plafond toit tapis ventres toilette quitte quittent \
maisons chambres lits portes cuisines ecoles hopitaux saigner cicatrice cicatrices acne eczema asthme autisme autiste \
fauteuil fievre toux grippe abattoir abattre abattus egorge boucher vend vendre vendu vendent proprietaires faim diner \
souper dejeuner cantine perime perimes cendres urne ame ames attaque attaques missile missiles sdf poumon poumons rein \
reins foie gorge poitrine cuisse cuisses genou genoux visage testicule testicules crampe crampes raser coupee coupees \
coupent coupure au-ciel ecrase ecraser huissier expulsion allocations \
paye paie payer payent facture factures dette dettes credit loyers proprietaire cache cachee caches cachees cacher \
cachent cachette cachait voleur derobe visa passeport frontiere expulse refugie refugies soldat soldats armee religion \
musulman musulmans juif juifs chretien chretiens halal haram casher paradis allah jesus coran bible mosquee synagogue prie prier \
priere ramadan accouple accouplent accoupler saillie veterinaire refuge efface effacer supprime supprimer cherche emoji \
insulte insultes interdit illegal odeur pue puent avale avaler empoisonne vodka rhum whisky briquet canape placard \
tiroir cave grenier garage appartement sac culotte noie noyer ici dehors lundi mardi mercredi jeudi vendredi samedi \
dimanche \
peres meres papas mamans papis mamies grands-parents tantes oncles quelqu nul \
aisselle aisselles poil poils barbe moustache voix haleine drap draps matelas pyjama accent begaie begayer zozote \
appelle appellent bras ambulance accident enterrement tombe cimetiere eglise tribunal juge prison therapie psy avocat directeur directrice dame monsieur \
je j me m moi mon ma mes mien nous notre nos tu t toi ton ta tes vous votre vos il elle lui son sa ses leur \
maman papa mere pere parents parent frere freres soeur soeurs mamie papi papy grand-mere grand-pere tante tonton oncle cousin cousine cousins \
famille familles divorce divorces divorcer separes marie maries mariage bebe bebes enceinte naissance adopte \
gens personne personnes humain humains homme hommes femme femmes garcon garcons fille filles enfant enfants ado ados adulte adultes \
maitresse maitre prof professeur ami amis amie amies copain copains copine copines amoureux amoureuse voisin voisins voisine nounou docteur medecin \
dentiste hopital police inconnu inconnus \
aime aiment aimer amour deteste detestent haine triste tristes tristesse pleure pleurent pleurer larmes colere fache fachee peur peurs seul seule \
heureux content contente mechant mechante mechants mal douleur honte timide inquiet cauchemar cauchemars manque jaloux secret secrets bete moche gros \
maigre sentiment sentiments crie crient crier dispute disputes disputent frappe frappent tape ment mentir mensonge mensonges puni punition \
corps peau cheveux cheveu dent dents langue ventre estomac coeur coeurs cerveau sang saigne os main mains doigt doigts jambe jambes pied pieds oeil yeux \
oreille oreilles nez bouche cou fesses caca pipi prout rot vomir eternue baille hoquet transpire transpirer boutons poux penis zizi zezette \
seins regles puberte nu nue bisou embrasser sexe malade maladie maladies cancer medicament medicaments allergie regime poids blessure \
meurt meurent mourir mort morts morte tue tuer suicide guerre guerres arme armes bombe couteau drogue drogues alcool biere vin ivre cigarettes fumer \
dieu enfer diable pere-noel noel \
maison chambre lit toilettes salle douche porte cuisine ecole devoirs classe controle note notes \
argent loyer travail pauvre pauvres riche riches adresse \
ecrit ecrire epelle epeler orthographe s'ecrit rime lettre lettres mot mots phrase plus moins fois divise calcul calcule calculer \
pourcent meteo temps temperature aujourd hui demain hier heure minuteur alarme reveil volume chanson musique blague",
    invented: &["qui a invente", "qui a decouvert", "qui a construit"],
    origins: &["d ou vient", "d ou viennent"],
    particular: "le la l",
    nouns: include_str!("nouns/fr.txt"),
};

pub(super) const SPANISH: Language = Language {
    openers: &[(
        Order::FirstArticle,
        &[
            "por que",
            "como funciona",
            "como funcionan",
            "como hacen",
            "como hace",
            "como se",
            "como vuela",
            "como vuelan",
            "como nace",
            "como nacen",
            "como respiran",
            "como duermen",
            "como pueden",
            "como puede",
            "como viven",
            "como crecen",
            "como saben",
            "como es que",
            "que pasa si",
            "que pasa cuando",
            "que pasaria si",
            "que pasa con",
            "y si",
            "quien invento",
            "quien descubrio",
            "quien construyo",
            "de donde viene",
            "de donde vienen",
            "de donde sale",
        ],
    )],
    skipped: "no se si cuando es que hay",
    completed: ("", ""),
    articles: "el la los las un una unos unas",
    contractions: "al del",
    adjectives: "gran primer primera",
    mass_nouns: "sol tierra luna marte venus jupiter saturno neptuno urano pluton",
    plurals: &[],
    capitalizes_nouns: false,
    excluded: "calorias cuenta contar tumbas toca tocan tocar tocarse ventana ventanas techo tejado alfombra pareja parejas tripa tripas ahi-abajo inodoro \
casas camas puertas cocinas escuelas hospitales sangrar cicatriz cicatrices acne eczema asma autismo autista silla \
fiebre tos gripe matadero sacrifican vende venden vender vendido dueno dueno duenos hambre cena cenar desayuno almuerzo \
comedor caducado caducada cenizas urna alma almas ataque ataques atacan misil misiles pulmon pulmones rinon higado \
garganta muslo muslos rodilla rodillas cara caras testiculo testiculos afeitar cortan cortado cortada corte al-cielo \
atropella atropellan atropello perdido perdida \
paga pagan pagar factura facturas deuda deudas credito casero desahucio esconde esconden esconder escondido escondida \
escondidas roba roban robar robado ladron detenido visado pasaporte frontera deportado refugiado refugiados soldado \
soldados ejercito religion musulman musulmanes judio judios cristiano cristianos halal haram paraiso alah jesus coran biblia \
mezquita sinagoga reza rezar ramadan aparean aparearse apareamiento veterinario perrera borra borrar borrado emoji \
insulto insultos prohibido ilegal huele huelen olor apesta traga tragar vodka ron whisky mechero sofa armario cajon \
sotano desvan garaje piso bolso mochila bragas ahoga ahogar ahogan aqui fuera afuera lunes martes miercoles jueves \
viernes sabado domingo \
papas mamas madres yaya yayo yayos nana abuelas alguien nadie ninguno ninguna \
axila axilas sobaco sobacos pelos vello barba bigote voz pecas sabana sabanas colchon pijama acento tartamudea tartamudear \
llama llaman brazo brazos ambulancia accidente funeral tumba cementerio iglesia tribunal juez carcel prision terapia abogado director directora senor senora \
yo me mi mis mio mia conmigo nosotros nos nuestro nuestra tu tus te ti contigo usted ustedes vosotros ella su sus \
mama mami papa papi madre padre padres hermano hermanos hermana hermanas abuela abuelo abuelos abuelita abuelito tia tio tios primo prima primos \
familia familias divorcio divorciados divorciar separados boda casarse bebe bebes embarazada nacimiento adoptado \
gente persona personas humano humanos hombre hombres mujer mujeres nino ninos nina ninas chico chicos chica chicas adolescente adulto adultos \
mayores maestra maestro profesor profesora profe amigo amigos amiga amigas novio novia vecino vecinos vecina ninera doctor medico dentista hospital policia \
desconocido desconocidos \
amor ama aman quiere quieren odia odian odio triste tristes tristeza llora lloran llorar lagrimas enojado enojada enfadado enfadada rabia miedo \
miedos solo sola feliz contento malo mala malos duele dolor verguenza timido preocupado pesadilla pesadillas extrana celoso secreto secretos tonto \
tonta feo fea gordo gorda flaco sentimiento sentimientos siente sienten gusta gustan grita gritan gritar pelea pelean pelear pega pegan miente \
mentir mentira mentiras castigo castigado \
cuerpo piel pelo diente dientes lengua barriga panza estomago corazon corazones cerebro sangre sangra hueso huesos mano manos dedo dedos pierna \
piernas pie pies ojo ojos oreja orejas nariz boca cuello culo caca pis pipi pedo pedos eructo vomitar estornuda bosteza hipo suda sudar granos piojos \
pene vagina tetas pechos regla pubertad desnudo desnuda beso besar sexo enfermo enferma enfermedad enfermedades cancer medicina pastilla alergia dieta peso \
herida muere mueren morir murio muerte muerto muertos mata matar suicidio guerra guerras arma armas pistola bomba cuchillo droga drogas alcohol cerveza vino \
borracho cigarros fumar dios infierno diablo \
casa cuarto cama bano ducha puerta cocina habitacion escuela colegio cole deberes tarea clase examen nota notas \
dinero alquiler trabajo pobre pobres rico ricos direccion \
escribe escribir deletrea deletrear ortografia rima letra letras palabra palabras frase mas menos dividido multiplica suma sumar resta \
calcula tiempo temperatura hoy manana ayer hora reloj alarma temporizador volumen cancion musica chiste",
    invented: &["quien invento", "quien descubrio", "quien construyo"],
    origins: &["de donde viene", "de donde vienen", "de donde sale"],
    particular: "el la",
    nouns: include_str!("nouns/es.txt"),
};

pub(super) const ITALIAN: Language = Language {
    openers: &[(
        Order::FirstArticle,
        &[
            "perche",
            "come mai",
            "come fa",
            "come fanno",
            "come funziona",
            "come funzionano",
            "come si forma",
            "come si formano",
            "come vola",
            "come volano",
            "come nasce",
            "come nascono",
            "come respirano",
            "come dormono",
            "come vivono",
            "come crescono",
            "come possono",
            "cosa succede se",
            "cosa succede quando",
            "che cosa succede se",
            "che cosa succede quando",
            "cosa succederebbe se",
            "che succede se",
            "e se",
            "chi ha inventato",
            "chi ha scoperto",
            "chi ha costruito",
            "da dove viene",
            "da dove vengono",
        ],
    )],
    skipped: "non si se quando e che",
    completed: ("", ""),
    articles: "il lo la i gli le l un uno una",
    contractions: "del dello della dell dei degli delle al allo alla all ai agli alle dal dallo dalla dall dai dagli dalle nel nello nella nell nei negli nelle sul sullo sulla sull sui sugli sulle",
    adjectives: "grande grandi piccolo piccola piccoli piccole primo prima buco",
    mass_nouns: "sole terra luna marte venere giove saturno nettuno urano plutone",
    plurals: &[],
    capitalizes_nouns: false,
    excluded: "calorie racconta raccontare tombe tocca toccano toccare toccarsi finestra finestre soffitto tetto tappeto pance gabinetto li-sotto \
case letti porte cucine scuole ospedali sanguinare cicatrice cicatrici acne eczema asma autismo autistico febbre tosse \
influenza macello macellati vende vendono vendere venduto padroni fame cena cenare colazione pranzo mensa scaduto \
scaduta ceneri urna anima anime attacco attacchi missile missili polmone polmoni rene reni fegato gola petto coscia \
cosce ginocchio ginocchia viso faccia testicoli crampo crampi depilare staccata staccano staccato staccare in-cielo \
investe investito canile scappato \
paga pagano pagare bolletta bollette debito debiti mutuo affittuario padrone sfratto nasconde nascondono nascondere \
nascosto nascosta nascoste nascosti ruba rubano rubare rubato ladro arrestato passaporto confine espulso rifugiato \
rifugiati profughi soldato soldati esercito religione musulmano musulmani ebreo ebrei paradiso cristiano cristiani halal haram \
allah gesu corano bibbia moschea sinagoga prega pregare ramadan accoppia accoppiano accoppiarsi veterinario canile \
cancella cancellare cancellato emoji insulto insulti vietato illegale odore puzza puzzano ingoia ingoiare ingoiato \
avvelenato vodka rum whisky accendino divano armadio cassetto cantina soffitta garage appartamento borsa zaino mutande \
annega annegare annegano qui fuori lunedi mercoledi giovedi venerdi sabato domenica \
papi mamme padri madri babbi nonne zie qualcuno nessuno \
ascella ascelle pelo peli barba baffi voce lentiggini lenzuolo lenzuola materasso pigiama accento balbetta balbettare \
chiama chiamano braccio braccia ambulanza incidente funerale tomba cimitero chiesa tribunale giudice prigione carcere terapia avvocato preside signore signora \
io me mi mio mia miei mie noi ci nostro nostra nostri tu te ti tuo tua tuoi voi vostro lui lei suo sua suoi sue \
mamma mammina papa babbo madre padre genitori genitore fratello fratelli sorella sorelle fratellino sorellina nonna nonno nonni zia zio zii cugino cugina \
cugini famiglia famiglie divorzio divorziati divorziare separati matrimonio sposarsi bambino bambini bambina bambine neonato neonati incinta nascita adottato \
gente persona persone umano umani uomo uomini donna donne ragazzo ragazzi ragazza ragazze adulto adulti grandi maestra maestro maestre professore prof \
amico amici amica amiche fidanzato fidanzata vicino vicini vicina babysitter tata dottore medico dentista ospedale polizia sconosciuto sconosciuti \
amore ama amano odia odiano odio triste tristi tristezza piange piangono piangere lacrime arrabbiato arrabbiata rabbia paura paure solo sola soli \
felice contento cattivo cattiva cattivi male dolore vergogna timido preoccupato incubo incubi manca geloso segreto segreti stupido stupida brutto brutta \
grasso grassa magro sentimento sentimenti sente sentono piace piacciono grida urla urlano urlare litiga litigano litigare picchia mente mentire bugia bugie \
punizione castigo \
corpo pelle capelli capello dente denti lingua pancia stomaco cuore cuori cervello sangue sanguina osso ossa mano mani dito dita gamba gambe piede piedi \
occhio occhi orecchio orecchie naso bocca collo culo sedere cacca pipi puzzetta scoreggia rutto vomitare starnutisce sbadiglia singhiozzo sudare brufoli \
pidocchi pene vagina tette seno mestruazioni puberta nudo nuda bacio baciare sesso malato malata malattia malattie cancro medicina pillola allergia dieta \
peso ferita muore muoiono morire morte morto morti uccide uccidere suicidio guerra guerre arma armi pistola bomba coltello droga droghe alcol birra vino \
ubriaco sigarette fumare dio inferno diavolo \
casa camera cameretta letto bagno doccia porta cucina scuola compiti classe verifica voto voti \
soldi affitto lavoro povero poveri ricco ricchi indirizzo \
scrive scrivere sillaba ortografia rima lettera lettere parola parole frase piu meno per diviso somma calcola tempo meteo temperatura oggi domani ieri ora \
orologio sveglia timer volume canzone musica barzelletta",
    invented: &["chi ha inventato", "chi ha scoperto", "chi ha costruito"],
    origins: &["da dove viene", "da dove vengono"],
    particular: "il lo la l",
    nouns: include_str!("nouns/it.txt"),
};
