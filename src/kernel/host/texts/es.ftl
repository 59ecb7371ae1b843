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
time = { $hour }:{ $minute }
moment = { $weekday }, { $date }, { $time } ({ $zone })
moment-in-utc = { $date }, { $time } UTC

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
copy-link = Si el botón no hace nada, copia esta dirección en tu navegador:
label-and-value = { $label }: { $value }
another-guardian = Otra persona de la familia
was-it-you = ¿Fuiste tú? Entonces no hay nada que hacer.

## Signing in

sign-in-subject = Tu enlace para iniciar sesión en Porchlight
sign-in-above-link = Este es tu enlace para iniciar sesión en Porchlight:
sign-in-here = Este es tu enlace para iniciar sesión.
sign-in-button = Iniciar sesión en Porchlight
sign-in-works = Funciona una sola vez, durante 30 minutos, y solo con esta dirección de correo.
sign-in-not-asked = Si no lo pediste, puedes ignorar este correo: nadie inicia sesión hasta que se abre el enlace y se confirma la dirección.

step-up-subject = Tu código para Porchlight
step-up-here = Este es el código para confirmar que eres tú:
step-up-works = Funciona una sola vez, durante 10 minutos, y solo en el navegador que lo pidió.
step-up-not-asked = Si no lo pediste, fue alguien que tiene uno de tus dispositivos. No se lo des a nadie. Puedes cerrar la sesión de ese dispositivo en Porchlight, en «Dispositivos con la sesión abierta».

unknown-device = un dispositivo desconocido
unknown-browser = Un navegador
device = { $browser } ({ $system-names })
device-and-time = { $device }, { $time }

new-sign-in-subject = Un nuevo inicio de sesión en Porchlight
new-sign-in-happened = Alguien ha iniciado sesión en Porchlight con tu cuenta:
new-sign-in-not-you = Si no, abre Porchlight en uno de tus dispositivos, elige «Tú» en el menú de tu cuenta y cierra la sesión de ese otro dispositivo. Crea allí después nuevos códigos de recuperación; los anteriores dejarán de valer.

new-codes-subject = Nuevos códigos de recuperación para Porchlight
new-codes-happened = Se han creado nuevos códigos de recuperación para tu cuenta de Porchlight:
new-codes-not-you = Si no, abre Porchlight, elige «Cerrar todas las sesiones» en el menú de tu cuenta y deja marcado «Anular también mis códigos de recuperación». Después, inicia sesión otra vez y crea nuevos códigos.

new-address-subject = ¿Es esta tu dirección para Porchlight?
new-address-asked = Alguien pide recibir los correos de Porchlight en esta dirección.
new-address-open = Si fuiste tú, abre este enlace en un plazo de 7 días y confírmala:
new-address-confirm = Si fuiste tú, confírmala.
new-address-button = Confirmar esta dirección
new-address-works = El enlace funciona durante 7 días.
new-address-not-you = Si no fuiste tú, puedes ignorar este correo: aquí no se envía nada sin tu respuesta.

address-change-subject = Tu dirección en Porchlight va a cambiar
address-change-goes = Tus correos de Porchlight irán a otra dirección:
address-change-asked = Lo pediste tú, o alguien que tiene uno de tus dispositivos.
address-change-waits = Si fuiste tú, no hay nada que hacer. El cambio se aplica como pronto en 24 horas, cuando se haya respondido a un correo enviado a la nueva dirección.
address-change-stop-here = Si no fuiste tú, detenlo aquí y cierra después la sesión de los dispositivos que no conozcas, en «Dispositivos con la sesión abierta» de Porchlight:
address-change-button = No fui yo: detener
address-change-then = Cierra después la sesión de los dispositivos que no conozcas, en «Dispositivos con la sesión abierta» de Porchlight.

## Guardians of the same child

invitation-subject = Una invitación a Porchlight
invitation-what = Una madre o un padre te invita a Porchlight, donde las familias ven de qué hablan un niño o una niña y un asistente de voz.
invitation-above-link = El enlace dice quién es:
invitation-who = La invitación dice quién es.
invitation-button = Ver la invitación
invitation-works-above = Funciona una sola vez, durante 14 días.
invitation-works = El enlace funciona una sola vez, durante 14 días.
invitation-told = Se informa de la invitación a todas las personas que ya ven los datos.
invitation-not-expected = Si no esperas ninguna invitación, puedes ignorar este correo.

somebody-invited-subject = Se ha invitado a alguien a Porchlight
somebody-invited-whom = { $by } ha invitado a alguien a ver los datos de { $children } en Porchlight.
somebody-invited-answer = Abre Porchlight para confirmar la invitación o detenerla. Si no haces ninguna de las dos cosas, se aplica 7 días después de que la hayas visto allí.

child-deletion-subject = Se va a eliminar un perfil infantil de Porchlight
child-deletion-asked = { $by } pide eliminar el perfil y las conversaciones de { $child }.
child-deletion-extent = Se eliminaría: { $conversations }.
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

child-retention-subject = Las conversaciones de un perfil infantil se conservarán menos tiempo
child-retention-asked =
    { $count ->
        [one] { $by } pide conservar las conversaciones de { $child } solo { $number } día.
       *[other] { $by } pide conservar las conversaciones de { $child } solo { $number } días.
    }
child-retention-older = Las conversaciones más antiguas se eliminarían, salvo las que alguien de la familia guarde.
child-retention-answer = Abre Porchlight para aceptar o para detenerlo. Si no haces ninguna de las dos cosas, se aplica 7 días después de que hayas visto allí la petición.

reviewer-subject = Un lector de IA para las conversaciones de un perfil infantil
reviewer-asked = { $by } quiere que un lector de IA lea las conversaciones de { $child }.
reviewer-words = Cada palabra iría a { $model }, en { $host }. El lector de IA te señalaría lo que quizá quieras mirar. Puede equivocarse.
reviewer-answer = Abre Porchlight para ver dónde está, para aceptar o para desactivarlo.

child-deleted-subject = Se han eliminado los datos de un perfil infantil de Porchlight
child-deleted-permanently = Se han eliminado para siempre de Porchlight un perfil infantil y sus conversaciones.
child-deleted-by-guardian = Lo pidió una persona de la familia.
child-deleted-by-administrator = Quien instaló tu servidor quitó el perfil.
child-deleted-by-retention = Era más antiguo de lo que querías conservar.
child-deleted-extent =
    { $count ->
        [0] No había conversaciones. Todo se eliminó el { $day }.
        [one] Había { $number } conversación. Todo se eliminó el { $day }.
       *[other] Había { $number } conversaciones. Todo se eliminó el { $day }.
    }
child-deleted-checked = Comprobado el { $day }: ya no está en ningún archivo de datos de Porchlight.
child-deleted-backups = Las copias de seguridad de este servidor pueden contenerlo hasta el { $day }.
child-deleted-copies = Porchlight no conoce las copias que alguien haya hecho.

## Alerts at once

alerts-subject = Algo que mirar en Porchlight
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
        [one] Un lector de IA notó algo en una conversación de { $child }. Puede equivocarse.
       *[other] Un lector de IA notó algo en conversaciones de { $child }: { $number } alertas. Puede equivocarse.
    }
alerts-at-least = al menos { $number }
alerts-quote = «{ $phrase }»: { $text }
alerts-button = Leer más en Porchlight
alerts-chosen = Recibes este correo porque lo elegiste en «Notificaciones» de Porchlight. Allí puedes desactivarlo.

## Notifications

notification-news = Porchlight tiene algo que decirte.
notification-news-since = Porchlight tiene algo que decirte desde: { $time }.
notification-test = Las notificaciones de Porchlight llegan aquí.
push-news = Algo nuevo en Porchlight.
push-urgent = Abre Porchlight ahora, por favor.

notifications-on-subject = Se han activado las notificaciones de Porchlight
notifications-on-happened = Porchlight ya puede enviar notificaciones a un teléfono que configuraste. Se activó:
quotes-on-subject = Tus correos de Porchlight incluirán citas
quotes-on-happened = A partir de ahora, los correos que te envía Porchlight incluyen citas y temas de las conversaciones de tus hijos o hijas. Se activó:
switched-on-not-you = Si no, abre Porchlight y elige «Cerrar todas las sesiones» en el menú de tu cuenta. Eso lo desactiva.

test-email-subject = Una prueba de Porchlight
test-email-arrives = Esto es una prueba: los correos de Porchlight llegan aquí.

## The weekly e-mail

weekly-subject = Tu semana en Porchlight
weekly-week = Esta es tu semana del { $span }.
weekly-quiet = Una semana tranquila: del { $span } no hubo conversaciones ni alertas de { $children }.
weekly-button = Abrir Porchlight
weekly-chosen = Porchlight envía este correo una vez a la semana. En «Notificaciones» eliges cuándo o lo desactivas.
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
