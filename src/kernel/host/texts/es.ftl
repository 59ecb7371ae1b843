# The server's sentences in Spanish. ui/locales/README.md has the terms.

## Days and times

month =
    { $number ->
        [1] enero
        [2] febrero
        [3] marzo
        [4] abril
        [5] mayo
        [6] junio
        [7] julio
        [8] agosto
        [9] septiembre
        [10] octubre
        [11] noviembre
       *[12] diciembre
    }
weekday =
    { $number ->
        [0] lunes
        [1] martes
        [2] miércoles
        [3] jueves
        [4] viernes
        [5] sábado
       *[6] domingo
    }
date = { $day } de { $month } de { $year }
date-with-weekday = { $weekday }, { $day } de { $month }
span-in-month = { $day } al { $last-day } de { $month }
span-of-months = { $day } de { $month } al { $last-day } de { $last-month }
time = { $plain-hour }:{ $minute }
moment = { $weekday }, { $date }, { $time } ({ $zone })

## Numbers, durations and lists

thousands = { "." }
no-time = nada
less-than-a-minute = menos de un minuto
hours =
    { $count ->
        [one] { $number } hora
       *[other] { $number } horas
    }
minutes =
    { $count ->
        [one] { $number } minuto
       *[other] { $number } minutos
    }
hours-and-minutes = { $hours } y { $minutes }
list =
    { $first } { $sound ->
        [i] e
       *[other] y
    } { $last }

## What e-mails share

greeting = Hola, { $name }:
greeting-without-name = Hola:
copy-link = Si el botón no hace nada, copia esta dirección y pégala en tu navegador:
label-and-value = { $label }: { $value }
another-guardian = Otra persona de la familia
was-it-you = ¿Fuiste tú? Entonces no tienes que hacer nada.

## Signing in

sign-in-subject = Tu enlace para iniciar sesión en Porchlight
sign-in-above-link = Este es tu enlace para iniciar sesión en Porchlight:
sign-in-here = Este es tu enlace para iniciar sesión.
sign-in-button = Iniciar sesión en Porchlight
sign-in-works = Funciona una sola vez, durante 30 minutos, y solo con esta dirección de correo.
sign-in-not-asked = Si no lo pediste, puedes ignorar este correo: no se inicia ninguna sesión hasta que se abra el enlace y se confirme la dirección.

step-up-subject = Tu código para Porchlight
step-up-here = Este es el código para confirmar que eres tú:
step-up-works = Funciona una sola vez, durante 10 minutos, y solo en el navegador que lo pidió.
step-up-not-asked = Si no lo pediste, lo pidió alguien que tiene uno de tus dispositivos. No le des el código a nadie. Puedes cerrar la sesión de ese dispositivo en Porchlight, en «Dispositivos con la sesión abierta».

unknown-device = un dispositivo desconocido
unknown-browser = Un navegador
device = { $browser } ({ $system-names })
either = { $first } o { $second }
device-and-time = { $device }, { $time }

new-sign-in-subject = Nuevo inicio de sesión en Porchlight
new-sign-in-happened = Alguien inició sesión en Porchlight con tu cuenta:
new-sign-in-not-you = Si no fuiste tú, abre Porchlight en uno de tus dispositivos, elige «Tú» en el menú de tu cuenta y cierra la sesión de ese otro dispositivo. Después, crea allí nuevos códigos de recuperación; los anteriores dejarán de valer.

new-codes-subject = Nuevos códigos de recuperación de Porchlight
new-codes-happened = Se crearon nuevos códigos de recuperación para tu cuenta de Porchlight:
new-codes-not-you = Si no fuiste tú, abre Porchlight, elige «Cerrar todas las sesiones» en el menú de tu cuenta y deja marcada la casilla «Anular también mis códigos de recuperación». Después, inicia sesión otra vez y crea nuevos códigos.

new-address-subject = ¿Es esta tu dirección de correo para Porchlight?
new-address-asked = Alguien pide recibir sus correos de Porchlight en esta dirección.
new-address-open = Si fuiste tú, abre este enlace en un plazo de 7 días y confírmala:
new-address-confirm = Si fuiste tú, confírmala.
new-address-button = Confirmar esta dirección
new-address-works = El enlace funciona durante 7 días.
new-address-not-you = Si no fuiste tú, puedes ignorar este correo: no se envía nada a esta dirección si no la confirmas.

address-change-subject = Tu dirección de correo en Porchlight va a cambiar
address-change-goes = Tus correos de Porchlight irán a otra dirección:
address-change-asked = Lo pediste tú, o alguien que tiene uno de tus dispositivos.
address-change-waits = Si fuiste tú, no tienes que hacer nada. El cambio se hace como muy pronto dentro de 24 horas, una vez confirmada la nueva dirección desde el correo enviado a ella.
address-change-stop-here = Si no fuiste tú, detenlo aquí y cierra después la sesión de los dispositivos que no reconozcas, en «Dispositivos con la sesión abierta» de Porchlight:
address-change-button = No fui yo: detenerlo
address-change-then = Cierra después la sesión de los dispositivos que no reconozcas, en «Dispositivos con la sesión abierta» de Porchlight.

## Guardians of the same child

invitation-subject = Una invitación a Porchlight
invitation-what = Una madre o un padre te invita a Porchlight, donde las familias ven de qué hablan sus hijos o hijas con un asistente de voz.
invitation-above-link = Verás quién es al abrir el enlace:
invitation-who = Verás quién es al abrir la invitación.
invitation-button = Ver la invitación
invitation-works-above = Funciona una sola vez, durante 14 días.
invitation-works = El enlace funciona una sola vez, durante 14 días.
invitation-told = Todas las personas que ya ven estos datos reciben un aviso de tu invitación.
invitation-not-expected = Si no esperas ninguna invitación, puedes ignorar este correo.

somebody-invited-subject = Se invitó a alguien a Porchlight
somebody-invited-whom = { $by } invitó a alguien a ver los datos de { $children } en Porchlight.
somebody-invited-answer = Abre Porchlight para confirmar la invitación o detenerla. Si no haces ninguna de las dos cosas, tendrá efecto 7 días después de que la hayas visto allí.

child-deletion-subject = Se va a eliminar un perfil infantil de Porchlight
child-deletion-asked = { $by } pide eliminar el perfil y las conversaciones de { $child }.
child-deletion-extent = En total: { $conversations }.
child-deletion-names = Nombres de este perfil en los últimos 30 días: { $names }
child-deletion-answer = Abre Porchlight para aceptar o para detenerlo. Si no haces ninguna de las dos cosas, todo se elimina para siempre 7 días después de que hayas visto allí la petición.
conversations =
    { $count ->
        [0] ninguna conversación
        [one] { $number } conversación
       *[other] { $number } conversaciones
    }
conversations-on = { $conversations }, el { $day }
conversations-from-to = { $conversations }, del { $first } al { $last }
quoted-name = «{ $name }»

child-retention-subject = Las conversaciones de tu hijo o hija se conservarán menos tiempo
child-retention-asked =
    { $count ->
        [one] { $by } pide conservar las conversaciones de { $child } solo { $number } día.
       *[other] { $by } pide conservar las conversaciones de { $child } solo { $number } días.
    }
child-retention-older = Las conversaciones más antiguas se eliminarían, salvo las que alguien de la familia conserve.
child-retention-answer = Abre Porchlight para aceptar o para detenerlo. Si no haces ninguna de las dos cosas, el cambio se aplica 7 días después de que hayas visto allí la petición.

reviewer-subject = Un lector de IA para las conversaciones de tu hijo o hija
reviewer-asked = { $by } quiere que un lector de IA lea las conversaciones de { $child }.
reviewer-words = Cada palabra se enviaría a { $model }, en { $host }. El lector de IA te señalaría lo que quizá quieras mirar. Puede equivocarse.
reviewer-answer = Abre Porchlight para ver dónde está ese modelo, para aceptar o para desactivar el lector de IA.

child-deleted-subject = Se eliminaron de Porchlight los datos de un perfil infantil
child-deleted-permanently = Se eliminaron para siempre de Porchlight un perfil infantil y sus conversaciones.
child-deleted-by-guardian = Lo pidió una persona de la familia.
child-deleted-by-administrator = Quien instaló tu servidor quitó el perfil.
child-deleted-by-retention = Los datos eran más antiguos de lo que querías conservar.
child-deleted-extent =
    { $count ->
        [0] No había conversaciones. Todo se eliminó el { $day }.
        [one] Había { $number } conversación. Todo se eliminó el { $day }.
       *[other] Había { $number } conversaciones. Todo se eliminó el { $day }.
    }
child-deleted-checked = Comprobado el { $day }: ya no queda nada en ningún archivo de datos de Porchlight.
child-deleted-backups = Las copias de seguridad que hace este servidor pueden contener los datos hasta el { $day }.
child-deleted-copies = Si alguien hizo otras copias, Porchlight no las conoce.

## Alerts at once

alerts-subject = Algo que mirar en Porchlight
alerts-urgent = Míralo ahora.
alerts-phrase =
    { $count ->
        [one] En una conversación de { $child } se dijo una frase que vigilas.
       *[other] En conversaciones de { $child } se dijeron frases que vigilas: { $number } alertas.
    }
alerts-outside-times =
    { $count ->
        [one] { $child } y un asistente hablaron cuando no estaba permitido.
       *[other] { $child } y un asistente hablaron cuando no estaba permitido: { $number } alertas.
    }
alerts-reviewer =
    { $count ->
        [one] Un lector de IA señaló algo en una conversación de { $child }. Puede equivocarse.
       *[other] Un lector de IA señaló algo en conversaciones de { $child }: { $number } alertas. Puede equivocarse.
    }
alerts-at-least = al menos { $number }
alerts-quote = «{ $phrase }»: { $text }
alerts-button = Leer más en Porchlight
alerts-chosen = Recibes este correo porque lo elegiste en «Notificaciones» de Porchlight. Allí puedes desactivarlo.

## Notifications

notification-news = Porchlight tiene algo que decirte.
notification-news-since = Porchlight tiene algo que decirte desde el { $time }.
notification-urgent = Abre Porchlight ahora, por favor.
notification-test = Las notificaciones de Porchlight llegan aquí.
push-news = Algo nuevo en Porchlight.

notifications-on-subject = Se activaron las notificaciones de Porchlight
notifications-on-happened = Porchlight ya puede enviar notificaciones a un teléfono que configuraste. Fecha de activación:
quotes-on-subject = Tus correos de Porchlight incluirán citas de las conversaciones
quotes-on-happened = A partir de ahora, los correos que te envía Porchlight incluyen citas y temas de las conversaciones de tus hijos o hijas. Fecha de activación:
switched-on-not-you = Si no fuiste tú, abre Porchlight y elige «Cerrar todas las sesiones» en el menú de tu cuenta. Así se desactiva de nuevo.

certificate-subject = Porchlight: el certificado caduca pronto
certificate-ends = El certificado de { $name } es válido hasta el { $day } (UTC) y todavía no se ha podido renovar.
certificate-then = Después, los navegadores avisarán cuando abras Porchlight allí. Entonces podrás volver a iniciar sesión en la dirección simple, que no está cifrada.
certificate-administrator = La persona que configuró este servidor puede averiguar la causa: { $command }

test-email-subject = Una prueba de Porchlight
test-email-arrives = Esto es una prueba: los correos de Porchlight llegan aquí.

## The weekly e-mail

weekly-subject = Tu semana en Porchlight
weekly-week = Esta es tu semana del { $span }.
weekly-quiet = Una semana tranquila: del { $span } no hubo conversaciones ni alertas de { $children }.
weekly-button = Abrir Porchlight
weekly-chosen = Porchlight envía este correo una vez a la semana. En «Notificaciones» puedes elegir cuándo o desactivarlo.
weekly-your-child = Tu hijo o hija
weekly-more-children =
    { $count ->
        [one] En Porchlight hay un perfil infantil más.
       *[other] En Porchlight hay { $number } perfiles infantiles más.
    }
weekly-unreadable-children =
    { $count ->
        [one] No se pueden leer los datos de un perfil infantil.
       *[other] No se pueden leer los datos de { $number } perfiles infantiles.
    }
weekly-no-talk = Ninguna conversación
weekly-talk = { $length } de conversación
weekly-before = La semana anterior: { $length }
weekly-no-new-conversations = Ninguna conversación nueva
weekly-conversations =
    { $count ->
        [one] { $number } conversación
       *[other] { $number } conversaciones
    }
weekly-alerts =
    { $count ->
        [0] ninguna alerta
        [one] { $number } alerta
       *[other] { $number } alertas
    }
weekly-many-alerts = { $number } alertas o más
weekly-topics = De qué se habló
weekly-more-topics = { $number } más
weekly-assistant = Un asistente
weekly-assistant-after-with = un asistente
weekly-silent = { $assistant } no se conecta desde el { $day }, así que pueden faltar sus conversaciones con { $child }.
weekly-all-silent = Ningún asistente de { $child } se conecta desde el { $day }, así que pueden faltar conversaciones.
weekly-refused =
    { $count ->
        [one] { $assistant } rechazó tus reglas actuales para { $child }.
       *[other] { $assistant } rechazó tus reglas actuales para { $child } en { $number } conversaciones.
    }
weekly-unconfirmed = { $assistant } habló con { $child } durante { $length } sin confirmar tus reglas actuales.
weekly-not-saved =
    { $count ->
        [one] No se pudo guardar { $number } mensaje de las conversaciones de { $child } con { $assistant }.
       *[other] No se pudieron guardar { $number } mensajes de las conversaciones de { $child } con { $assistant }.
    }
weekly-more-notices =
    { $count ->
        [one] { $number } aviso más sobre asistentes en Porchlight.
       *[other] { $number } avisos más sobre asistentes en Porchlight.
    }
weekly-unreadable = Una parte de lo que se conserva de { $child } no se puede leer, así que estos números pueden quedarse cortos.
