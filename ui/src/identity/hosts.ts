/** The host in the address of this page. */

/** Whether a host is an IPv4 or IPv6 address. */
export function isAddress(host: string): boolean {
  return /^(?:[\d.]+|\[.+\])$/u.test(host);
}

/** Whether a host is reached from this computer alone, so that no router gives it an address. */
export function isThisComputer(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.[\d.]+$/u.test(host);
}
