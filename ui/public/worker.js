// Shows the notifications of Web Push. It keeps no files and answers no requests, so it changes nothing else of the app.
addEventListener("push", (event) => {
  const body = event.data?.text() || "Something new in Porchlight.";
  // A further one takes the place of one with the same words.
  event.waitUntil(
    registration.showNotification("Porchlight", { body, tag: body, renotify: true, icon: "/icon-192.png" }),
  );
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  // A page of its own: in an open one, somebody may be typing.
  event.waitUntil(clients.openWindow("/"));
});
