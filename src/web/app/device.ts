const key = 'device'

/**
 * An id that this browser gives itself once and sends when somebody signs in. It names nobody. A device that an account has signed in from is not
 * stopped by strangers who try its password, so the id stays when the person signs out.
 */
export function deviceId(): string {
  const known = localStorage.getItem(key)
  if (known && /^[\w-]{43}$/.test(known)) return known
  const made = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
  localStorage.setItem(key, made)
  return made
}
