/** Logins and names are the same in upper and lower case, of ASCII alone. */
export const foldCase = (text: string): string =>
  /[A-Z]/.test(text) ? text.replace(/[A-Z]/g, (c) => c.toLowerCase()) : text

/** `https://H/o/r` → `H` */
export const hostOf = (url: string): string => url.split('/')[2] ?? ''

/** The part after the last slash: a login, or the name of a repository. */
export const lastPart = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** The name of a label that has no record: `…/labels/good%20first%20issue`. */
export function labelName(url: string): string {
  const encoded = lastPart(url)
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
