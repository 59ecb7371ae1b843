/** Large cities whose time zone has the name of another one, also by their English names. Loaded with the search. */
export const cities: Readonly<Record<string, string>> = {
  "Europe/Berlin":
    "Hamburg, München, Munich, Köln, Cologne, Frankfurt, Stuttgart, Düsseldorf, Leipzig, Dortmund, Essen, Bremen, Dresden, Hannover, Hanover, Nürnberg, Nuremberg, Mannheim, Karlsruhe, Freiburg",
  "Europe/Vienna": "Wien, Graz, Linz, Salzburg, Innsbruck",
  "Europe/Zurich": "Zürich, Basel, Bern, Genf, Genève, Geneva, Lausanne",
  "Europe/London":
    "Manchester, Birmingham, Liverpool, Leeds, Glasgow, Edinburgh, Bristol, Sheffield, Newcastle, Cardiff",
  "Europe/Dublin": "Cork, Galway, Limerick",
  "America/New_York":
    "Boston, Philadelphia, Washington, Atlanta, Miami, Orlando, Tampa, Jacksonville, Charlotte, Raleigh, Baltimore, Pittsburgh, Cleveland, Columbus, Cincinnati, Brooklyn",
  "America/Chicago":
    "Houston, Dallas, Austin, San Antonio, Fort Worth, Minneapolis, St. Louis, Saint Louis, Milwaukee, Kansas City, New Orleans, Nashville, Memphis, Oklahoma City",
  "America/Denver": "Salt Lake City, Colorado Springs, Albuquerque, El Paso",
  "America/Phoenix": "Tucson, Mesa",
  "America/Los_Angeles":
    "San Francisco, Seattle, Portland, San Diego, San Jose, Sacramento, Oakland, Las Vegas, Fresno",
  "America/Toronto": "Montréal, Ottawa, Québec, Mississauga, Hamilton",
  "America/Vancouver": "Victoria, Surrey",
  "America/Edmonton": "Calgary",
  "Australia/Sydney": "Canberra, Newcastle",
  "Pacific/Auckland": "Wellington, Christchurch",
  "Africa/Johannesburg": "Cape Town, Durban, Pretoria",
  "Europe/Paris":
    "Lyon, Marseille, Toulouse, Nice, Nantes, Strasbourg, Montpellier, Bordeaux, Lille, Rennes, Reims, Grenoble",
  "Europe/Brussels": "Bruxelles, Brüssel, Liège, Antwerpen, Antwerp, Anvers, Gent, Ghent",
  "Europe/Madrid":
    "Barcelona, Valencia, Sevilla, Seville, Zaragoza, Saragossa, Málaga, Murcia, Palma, Bilbao, Alicante, Córdoba, Granada",
  "Atlantic/Canary": "Las Palmas, Santa Cruz de Tenerife, Tenerife",
  "America/Mexico_City": "Ciudad de México, Guadalajara, Puebla, León",
  "America/Bogota": "Medellín, Cali, Barranquilla, Cartagena",
  "America/Lima": "Arequipa, Trujillo",
  "America/Santiago": "Valparaíso, Concepción",
  "America/Argentina/Buenos_Aires": "Rosario, La Plata, Mar del Plata",
  "America/Caracas": "Maracaibo, Valencia",
  "America/Guayaquil": "Quito",
  "America/La_Paz": "Santa Cruz de la Sierra, Cochabamba",
  "America/Sao_Paulo": "Rio de Janeiro, Brasília, Belo Horizonte",
  "Europe/Rome": "Roma, Milano, Milan, Napoli, Naples, Torino, Turin, Firenze, Florence",
  "Europe/Amsterdam": "Rotterdam, Den Haag, The Hague, Utrecht, Eindhoven",
  "Europe/Lisbon": "Porto",
  "Europe/Warsaw": "Warszawa, Kraków, Cracow, Gdańsk",
  "Europe/Prague": "Praha, Brno",
  "Europe/Stockholm": "Göteborg, Gothenburg, Malmö",
  "Europe/Istanbul": "Ankara, Izmir",
  "Africa/Casablanca": "Rabat, Marrakech",
  "Asia/Kolkata": "Mumbai, Delhi, Bengaluru, Bangalore, Chennai, Hyderabad",
  "Asia/Shanghai": "Beijing, Shenzhen, Guangzhou",
  "Asia/Tokyo": "Osaka, Kyoto, Yokohama",
};
